import CropArguments
import CropCore
import CropImaging
import Foundation
import Testing

@testable import CropServer
@testable import PhotoLibrary
@testable import cropkit

private let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")

/// A description in `Schema/`, as a dictionary.
private func schema(_ name: String) throws -> [String: Any] {
  let data = try Data(contentsOf: root.appending(path: "Schema/\(name).json"))
  return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
}

private func names(_ entries: Any?) throws -> [String] {
  try #require(entries as? [[String: Any]]).compactMap { $0["name"] as? String }
}

/// The command and the server have exactly what is in `Schema/`.
@Suite struct `Schema` {
  @Test func `the formats are those of the table`() throws {
    let formats = try schema("formats")["formats"]
    #expect(try names(formats) == ImageFormat.allCases.map(\.rawValue))
    for format in try #require(formats as? [[String: Any]]) {
      for ending in try #require(format["extensions"] as? [String]) {
        #expect(ImageFormat(fileExtension: ending)?.rawValue == format["name"] as? String)
      }
    }
  }

  @Test func `options of the command, keys of lines and of JSON are those of the table`()
    async throws
  {
    let options = try schema("options")
    let (what, how) = (try names(options["what"]), try names(options["how"]))
    #expect(SpecArguments.Key.allCases.map(\.rawValue) + ["recipe", "cropFrom"] == what)
    #expect(ResultOptions.Key.allCases.map(\.rawValue) == how)
    let help = try await Program.cropkit.run("crop", "--help").text
    for key in SpecArguments.Key.allCases { #expect(help.contains("--\(key.option) "), "\(key)") }
    for key in ResultOptions.Key.allCases { #expect(help.contains("--\(key.option)"), "\(key)") }
    for key in SpecArguments.Key.allCases {
      #expect(SpecArguments.Key(option: "--\(key.option)") == key)
    }
    for key in ResultOptions.Key.allCases {
      #expect(ResultOptions.Key(option: "--\(key.option)") == key)
    }
    #expect(ResultOptions.Key(option: "--maxBytes") == nil)
  }

  @Test func `the command and lines of batches read texts as the grammars say`() throws {
    let grammars = try schema("grammars")
    let keys: [String: SpecArguments.Key] = [
      "ratio": .aspect, "rectangle": .rect, "inset": .inset, "size": .size, "shape": .shape,
      "angle": .tilt, "printLength": .bleed, "printSize": .size,
    ]
    let others: [String: ResultOptions.Key] = [
      "color": .background, "amount": .maxBytes, "canvas": .canvas, "length": .margin,
    ]
    #expect(Set(keys.keys).union(others.keys).union(["about", "pattern"]) == Set(grammars.keys))
    for (name, key) in keys {
      for (text, isTaken) in try texts(grammars[name]) {
        var words = SpecArguments()
        #expect(words.set(key, to: text) == isTaken, "\(name) \(text)")
      }
    }
    for (name, key) in others {
      for (text, isTaken) in try texts(grammars[name]) {
        var options = ResultOptions()
        #expect(options.set(key, to: text) == isTaken, "\(name) \(text)")
      }
    }
  }

  @Test func `names of results are read as the grammars say`() throws {
    for (text, isTaken) in try texts(schema("grammars")["pattern"]) {
      #expect((ResultNames(argument: text) != nil) == isTaken, "\(text)")
      // The library adds the extension.
      #expect((TargetNames(text) != nil) == isTaken, "\(text)")
    }
  }

  @Test func `a page without a server names the files of targets as the server does`() async throws
  {
    let parts = [
      "{name}", "{target}", "{number}", "{width}", "{height}", "{ext}", ".{ext}", "{", "}", "/",
      "{Target}", "{na me}", "{}", ".", "a:b", "é",
    ]
    let pairs = parts.flatMap { first in parts.map { first + $0 } }
    let long = [199, 200, 201].flatMap { count in
      ["a", "é"].map { "{target}" + String(repeating: $0, count: (count - 8) / $0.utf8.count) }
    }
    let patterns = [""] + parts + pairs + pairs.flatMap { pair in parts.map { pair + $0 } } + long
    let folder = try Folder()
    _ = try folder.write(JSONEncoder().encode(patterns), as: "patterns.json")
    let page = root.appending(path: "Web/App/model/file-names.js").absoluteString
    _ = try folder.write(
      """
      const { readFileSync } = await import('node:fs');
      const { fileName, isPattern } = await import('\(page)');
      const values = { name: 'photo', target: 'Wide: 2', number: 3, width: 30, height: 20 };
      console.log(JSON.stringify(JSON.parse(readFileSync('patterns.json', 'utf8'))
        .map((text) => isPattern(text) ? fileName(text, '.jpg', values) : null)));
      """.utf8, as: "names.mjs")
    let outcome = try await Program.shell("node names.mjs", folder: folder.path)
    let names = try JSONDecoder().decode([String?].self, from: outcome.output)
    try #require(names.count == patterns.count && names.contains { $0 != nil }, "\(outcome)")
    for (pattern, name) in zip(patterns, names) {
      let server = TargetNames(pattern).flatMap { $0.tellsApart ? $0 : nil }?.name(
        of: PathBytes("photo"), target: "Wide: 2", number: 3, format: .jpeg,
        size: FrameSize(width: 30, height: 20))
      #expect(name == server?[1].name, "\(pattern)")
    }
  }

  @Test func `the server reads ratios as the grammars say`() throws {
    for (text, isTaken) in try texts(schema("grammars")["ratio"]) {
      let order = try? JSONDecoder().decode(
        CropRequest.self, from: JSONSerialization.data(withJSONObject: ["aspect": text]))
      #expect((order != nil) == isTaken, "\(text)")
    }
  }

  /// Texts, and whether they are valid.
  private func texts(_ grammar: Any?) throws -> [(String, Bool)] {
    let grammar = try #require(grammar as? [String: Any])
    let taken = try #require(grammar["takes"] as? [String: Any]).keys.map { ($0, true) }
    return try taken + #require(grammar["refuses"] as? [String]).map { ($0, false) }
  }
}
