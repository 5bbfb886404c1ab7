import Foundation
import Glibc
import Testing

@testable import cropkit

/// Images and results that are sent through `cropkit batch --stream`.
@Suite(.serialized, .enabled(if: Picture.areAvailable, "no pictures; see CROPKIT_IMAGES"))
struct StreamBytesTests {
  private let folder: Folder
  private let photo: String
  private let bytes: Data

  init() throws {
    folder = try Folder()
    photo = try Picture.named("jpeg-420-227x149.jpg").path
    bytes = try Data(contentsOf: URL(fileURLWithPath: photo))
  }

  private static let cut = #""recipe":{"rect":{"x":0,"y":0,"width":32,"height":16}}"#

  /// A line with this input and output, which are JSON.
  private func line(_ input: String, _ output: String, _ more: String = cut) -> String {
    #"{"input":\#(input),"output":\#(output),\#(more)}"#
  }

  private func line(of bytes: Data, length: Int? = nil, _ more: String = cut) -> String {
    line(#"{"bytes":\#(length ?? bytes.count)}"#, #"{"bytes":true}"#, more)
  }

  private func talk(
    _ batch: StreamedBatch, _ words: @escaping @Sendable (StreamedBatch) throws -> Void
  ) async throws -> (status: Int32, errors: String) {
    try await onOwnThread { try words(batch) }
    return (await batch.running.end(), batch.errors)
  }

  @Test(arguments: ["1", "3"])
  func `bytes in and out are what files would be`(jobs: String) async throws {
    let names = [
      "jpeg-420-227x149.jpg", "png-exif-orientation-6.png", "webp-lossy-1024x772.webp",
      "tiff-lzw-rgb.tif",
    ]
    let pictures = try names.map { try Picture.named($0).path }
    let batch = try StreamedBatch("--jobs", jobs, in: folder)
    let mores = [
      Self.cut, #""aspect":"1:1","options":{"format":"png"}"#, #""recipe":{}"#,
      #""rotate":90,"maxSide":40,"options":{"format":"jpeg","quality":70}"#,
    ]
    let end = try await talk(batch) { batch in
      for (number, picture) in pictures.enumerated() {
        let sent = try Data(contentsOf: URL(fileURLWithPath: picture))
        for (kind, more) in mores.enumerated() {
          let named = "\(number)-\(kind)"
          try batch.send(line("\"\(picture)\"", "\"\(named)\"", more))
          try batch.send(line("\"\(picture)\"", #"{"bytes":true}"#, more))
          try batch.send(line(of: sent, more), bytes: sent)
          try batch.send(
            line(#"{"bytes":\#(sent.count)}"#, "\"\(named)-too\"", more), bytes: sent)
          let answers = try (0..<4).map { _ in try #require(try batch.answer()) }
          let isAllRight = answers.allSatisfy(\.isOK)
          #expect(isAllRight, "\(answers)")
          let made = try Data(contentsOf: folder.url(named))
          #expect(answers[1].bytes == made && answers[2].bytes == made)
          let too = try Data(contentsOf: folder.url("\(named)-too"))
          #expect(too == made)
          let reported = answers[2].fields["output"] as? [String: Int]
          #expect(reported == ["bytes": made.count])
          #expect(answers[2].fields["bytes"] as? Int == made.count)
          #expect(answers[2].fields["input"] as? [String: Int] == ["bytes": sent.count])
        }
      }
      batch.closeInput()
      #expect(try batch.answer() == nil)
    }
    #expect(end.status == 0, "\(end)")
  }

  @Test func `a large picture passes through as a file would`() async throws {
    let batch = try StreamedBatch(in: folder)
    let end = try await talk(batch) { batch in
      let size = #""size":"4086x2682""#
      try batch.send(line("\"\(photo)\"", #""large.png""#, size))
      let first = try batch.answer()
      #expect(first?.isOK == true)
      let large = try Data(contentsOf: folder.url("large.png"))
      // Results larger than that are made in files.
      #expect(large.count > 4 << 20)
      for more in [#""recipe":{}"#, #""rotate":90"#] {
        let answer = try #require(try ask(batch, large, more))
        let name = more.hasPrefix("\"recipe") ? "whole.png" : "turned.png"
        try batch.send(line(#""large.png""#, "\"\(name)\"", more))
        let other = try batch.answer()
        #expect(other?.isOK == true && answer.isOK)
        let made = try Data(contentsOf: folder.url(name))
        #expect(answer.bytes == made)
      }
      batch.closeInput()
    }
    #expect(end.status == 0, "\(end)")
  }

  private func ask(_ batch: StreamedBatch, _ sent: Data, _ more: String = cut) throws
    -> StreamedBatch.Answer?
  {
    try batch.send(line(of: sent, more), bytes: sent)
    return try batch.answer()
  }

  @Test func `a line that fails takes its bytes along, and none follow its answer`() async throws {
    let batch = try StreamedBatch("--limit-bytes", "10K", in: folder)
    let end = try await talk(batch) { batch in
      let long = Data(repeating: UInt8(ascii: "\n"), count: 100_000)
      let wrong = [
        (Self.cut, Data("abc".utf8), "unsupported-format"), (Self.cut, Data(), "empty"),
        (Self.cut, bytes.prefix(900), "truncated"), (#""rezipe":{}"#, bytes, "usage"),
        (#""id":[],"aspect":"1:1""#, bytes, "usage"),
        (#""recipe":{"tilt":99}"#, bytes, "invalid-recipe"),
        (Self.cut, long, "limit-bytes"),
      ]
      for (more, sent, code) in wrong {
        let answer = try #require(try ask(batch, sent, more))
        #expect(answer.code == code && answer.bytes.isEmpty, "\(answer)")
        #expect(answer.fields["output"] == nil)
        #expect(answer.fields["input"] as? [String: Int] == ["bytes": sent.count])
        let fine = try ask(batch, bytes)
        #expect(fine?.isOK == true && fine?.bytes.isEmpty == false)
      }
      batch.closeInput()
      #expect(try batch.answer() == nil)
    }
    #expect(end == (1, "cropkit: 7 of 14 crops failed\n"))
  }

  @Test(arguments: [5769, 3, 1 << 40])
  func `an end inside the bytes is reported`(missing: Int) async throws {
    let batch = try StreamedBatch(in: folder)
    let end = try await talk(batch) { batch in
      let count = min(missing, bytes.count)
      try batch.send(
        line(of: bytes, length: bytes.count - count + missing), bytes: bytes.dropLast(count))
      batch.closeInput()
      let answers = try batch.rest()
      #expect(answers.map(\.code) == ["read-failed"])
      #expect(answers.first?.message.contains("the stream ended after") == true)
    }
    #expect(end == (1, "cropkit: 1 of 1 crop failed\n"))
  }

  @Test(arguments: [-1000, -1, 1, 200])
  func `a wrong length ends the stream, and nothing in it is run`(lie: Int) async throws {
    let batch = try StreamedBatch(in: folder)
    // Bytes that look like a line, inside an image and after it.
    let hidden = line("\"\(photo)\"", "\"hidden.jpg\"")
    let sent = bytes.prefix(5000) + Data("\n\(hidden)\n".utf8) + bytes.suffix(700)
    let end = try await talk(batch) { batch in
      try batch.send(line(of: bytes), bytes: bytes)
      try batch.send(line(of: sent, length: sent.count + lie), bytes: sent)
      // It may have exited by now.
      for _ in 1...9 { try? batch.send(line(of: bytes), bytes: bytes) }
      let answers = try batch.rest()
      #expect(answers.first?.isOK == true)
      #expect(answers.count == 3 && answers.last?.code == "usage", "\(answers)")
    }
    #expect(end.status == 74)
    #expect(end.errors.contains("the data after line 3 may be bytes, so it was not read"))
    #expect(folder.names.isEmpty)
  }

  @Test(arguments: [
    #"{"bytes":"9"}"#, #"{"bytes":-9}"#, #"{"bytes":1.5}"#, #"{"bytes":1e30}"#, #"{"bytes":null}"#,
    #"{"bytes":9,"more":1}"#, "{}", #"{"bytes":9}}"#,
  ])
  func `bytes without a length end the stream`(input: String) async throws {
    let batch = try StreamedBatch(in: folder)
    let end = try await talk(batch) { batch in
      try batch.send(line(input, #"{"bytes":true}"#))
      try? batch.send(line("\"\(photo)\"", "\"hidden.jpg\""))
      let codes = try batch.rest().map(\.code)
      #expect(codes == ["usage"])
    }
    #expect(end.status == 74)
    #expect(folder.names.isEmpty)
  }
}
