import ArgumentParser
import CropCore
import CropImaging

/// The focus of a photo: `X,Y` or `X,Y,W,H` in fractions or percent of its sides, or a file that
/// contains it.
enum FocusArgument: ExpressibleByArgument, Equatable {
  case box(FocusBox)
  case file(FileArgument)
  /// Numbers outside the image.
  case outside
  /// Too few or too many numbers.
  case miscounted

  init(argument: String) {
    guard let numbers = CropLength.fractions(argument) else {
      self = .file(FileArgument(argument: argument))
      return
    }
    guard [2, 4].contains(numbers.count) else {
      self = .miscounted
      return
    }
    let box = FocusBox(
      x: numbers[0], y: numbers[1], width: numbers.count == 4 ? numbers[2] : 0,
      height: numbers.count == 4 ? numbers[3] : 0)
    self = box.map(Self.box) ?? .outside
  }

  /// The focus, which may be read from a file.
  ///
  /// - Throws: `CropError` for an invalid focus.
  func focus() throws(CropError) -> FocusBox {
    switch self {
    case .box(let box): return box
    case .file(let file): return try file.readJSON(FocusFile.self, called: "a focus").focus
    case .outside:
      throw .usage(
        detail: "the focus is outside the image; use 0 to 1, or 0% to 100%")
    case .miscounted:
      throw .usage(
        detail: "a focus is two or four numbers: left, top and, for a box, width and height")
    }
  }

  /// Whether the focus must be read from a file.
  var isFile: Bool {
    if case .file = self { true } else { false }
  }

  static var defaultCompletionKind: CompletionKind { .file() }
}

/// A file that contains only a focus, or a document with the key `focus`.
private struct FocusFile: Decodable {
  let focus: FocusBox

  private enum Key: String, CodingKey { case focus }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Key.self)
    guard fields.contains(.focus) else {
      focus = try FocusBox(from: decoder)
      return
    }
    guard let focus = try TargetDocument(from: decoder).focus else {
      throw DecodingError.dataCorruptedError(
        forKey: .focus, in: fields, debugDescription: "there is none")
    }
    self.focus = focus
  }
}
