import CropCore
import Foundation
import TestMaterial
import Testing

/// The entry of a form in `Schema/grammars.json`.
private struct Form: Decodable {
  let takes: [String: [Double]]
  let refuses: [String]

  /// The entries of all forms, by their names.
  static func all() throws -> [String: Form] {
    let table = try JSONSerialization.jsonObject(
      with: Data(contentsOf: Repository.folder.appending(path: "Schema/grammars.json")))
    var forms = try #require(table as? [String: Any])
    forms["about"] = nil
    return try forms.mapValues {
      try JSONDecoder().decode(Form.self, from: JSONSerialization.data(withJSONObject: $0))
    }
  }
}

@Suite struct `Grammars` {
  /// The numbers of a parsed text, by the names of the table.
  private static let read: [String: @Sendable (String) -> [Double]?] = [
    "ratio": { AspectRatio(text: $0).map { [Double($0.width), Double($0.height)] } },
    "rectangle": { CropArea(rectangle: $0).map(numbers) },
    "inset": { CropArea(inset: $0).map(numbers) },
    "size": { FrameSize(text: $0).map { [Double($0.width), Double($0.height)] } },
    "printSize": {
      PrintSize(text: $0).map { [$0.width, $0.height].map { Double($0.tenThousandths) } }
    },
    "printLength": { PrintLength(text: $0).map { [Double($0.tenThousandths)] } },
    "shape": { CropShape(text: $0).map(numbers) },
    "color": { Background(text: $0).map { [$0.red, $0.green, $0.blue].map(Double.init) } },
    "canvas": { CropCanvas.Extent(text: $0).map(numbers) },
    "length": { CropLength(text: $0).map(numbers) },
    "amount": { Amount(text: $0).map { [Double($0.things), Double($0.bytes)] } },
    "pattern": { NamePattern(Array($0.utf8))?.parts.map(number) },
    "angle": { CropAngle(degrees: $0).map { [$0.degrees] } },
  ]

  @Test func `each grammar accepts and rejects the texts of its table`() throws {
    let forms = try Form.all()
    #expect(forms.keys.sorted() == Self.read.keys.sorted())
    for (name, form) in forms {
      let read = try #require(Self.read[name])
      for (text, numbers) in form.takes { #expect(read(text) == numbers, "\(name) \(text)") }
      for text in form.refuses { #expect(read(text) == nil, "\(name) \(text)") }
    }
  }

  @Test func `a number is read as Swift reads it, to the last bit`() {
    for text in ["0.1", "1.91", "12345.678901234567", "1e22", "9.007199254740993e15", "-0", "4e-5"]
    {
      #expect(CropAngle(degrees: text)?.degrees.bitPattern == Double(text)?.bitPattern, "\(text)")
    }
    for text in ["1e999", "1e99999999999999999999", "e5", ".", "-", "1e", "0x1p3"] {
      #expect(CropAngle(degrees: text) == nil, "\(text)")
    }
  }

  private static func number(_ part: NamePattern.Part) -> Double {
    switch part {
    case .text: 0
    case .name: 1
    case .ext: 2
    case .number: 3
    case .target: 4
    case .width: 5
    case .height: 6
    }
  }

  private static func numbers(_ area: CropArea) -> [Double] {
    let lengths: [CropLength] =
      switch area {
      case .rectangle(let x, let y, let width, let height): [x, y, width, height]
      case .inset(let left, let top, let right, let bottom): [left, top, right, bottom]
      case .sized(let width, let height, _): [width, height]
      case .ratio: []
      }
    return lengths.flatMap(numbers)
  }

  private static func numbers(_ length: CropLength) -> [Double] {
    switch length {
    case .pixels(let pixels): [pixels, 0]
    case .percent(let share): [share, 1]
    }
  }

  private static func numbers(_ extent: CropCanvas.Extent) -> [Double] {
    switch extent {
    case .crop: []
    case .ratio(let ratio): [0, Double(ratio.width), Double(ratio.height)]
    case .size(let size): [1, Double(size.width), Double(size.height)]
    }
  }

  private static func numbers(_ shape: CropShape) -> [Double] {
    switch shape {
    case .rectangle: [0, 0]
    case .ellipse: [1, 0]
    case .roundedRectangle(let radius): [2, radius]
    }
  }
}
