import ArgumentParser
import CropCore
import CropImaging

/// The focus of a photo: `X,Y` or `X,Y,W,H` in fractions or per cent of its sides, or a file that
/// holds it.
enum FocusArgument: ExpressibleByArgument {
  case box(FocusBox)
  case file(FileArgument)
  /// Numbers that are no part of a picture.
  case outside
  /// Numbers that are too few or too many.
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

  /// The focus, which may have to be read.
  ///
  /// - Throws: `CropError` for what is no focus.
  func focus() throws(CropError) -> FocusBox {
    switch self {
    case .box(let box): return box
    case .file(let file): return try file.readJSON(FocusFile.self, called: "focus").focus
    case .outside:
      throw .usage(
        detail: "the focus is outside the picture, which is 0 to 1 both ways, or 0% to 100%")
    case .miscounted:
      throw .usage(
        detail: "a focus is two or four numbers: left, top and, for a box, width and height")
    }
  }

  static var defaultCompletionKind: CompletionKind { .file() }
}

/// A file that holds a focus alone, or as the `focus` of a document.
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
