import CropCore
import CropImaging

/// What the files of a photo's targets are called: a pattern with `{name}`, `{target}` and `{number}` in
/// it. The ending that goes with a file's format is added.
public struct TargetNames: Sendable {
  /// The parts between and in braces, in turn.
  private let parts: [Part]

  private enum Part {
    case text(String)
    case name, target, number
  }

  /// `{name}-{target}`.
  public static let usual = TargetNames(parts: [.name, .text("-"), .target])

  private static let mostBytes = 200

  private init(parts: [Part]) { self.parts = parts }

  /// Reads a pattern, which may end with `.{ext}`; nil for one that is empty or too long, or has a slash,
  /// an unknown or an open brace in it.
  public init?(_ pattern: String) {
    let ending = ".{ext}"
    let stem = pattern.hasSuffix(ending) ? pattern.dropLast(ending.count) : pattern[...]
    guard !stem.isEmpty, stem.utf8.count <= Self.mostBytes, !stem.contains("/") else { return nil }
    var parts: [Part] = []
    for (index, piece) in stem.split(separator: "{", omittingEmptySubsequences: false).enumerated()
    {
      var text = piece
      if index > 0 {
        guard let end = piece.firstIndex(of: "}") else { return nil }
        switch piece[..<end] {
        case "name": parts.append(.name)
        case "target": parts.append(.target)
        case "number": parts.append(.number)
        default: return nil
        }
        text = piece[piece.index(after: end)...]
      }
      guard !text.contains("}") else { return nil }
      if !text.isEmpty { parts.append(.text(String(text))) }
    }
    self.parts = parts
  }

  /// Whether the files of several targets have different names.
  public var tellsApart: Bool {
    parts.contains { part in
      switch part {
      case .target, .number: true
      case .text, .name: false
      }
    }
  }

  /// The name of a target's file; `number` is the target's place, from 1.
  ///
  /// - Parameter photo: the photo's name without its ending.
  public func name(
    of photo: PathBytes, target: String, number: Int, format: PictureFormat
  ) -> CropName {
    let rest = parts.map { part -> [UInt8]? in
      switch part {
      case .text(let text): Array(CropName.plain(text).utf8)
      case .target: Array(CropName.plain(target).utf8)
      case .number: Array("\(number)".utf8)
      case .name: nil
      }
    }
    // What tells the files apart stays whole: a long name of a photo gives way.
    let count = rest.count { $0 == nil }
    let room = CropName.room(for: format) - rest.reduce(0) { $0 + ($1?.count ?? 0) }
    let name = count == 0 ? [] : CropName.shortened(photo.bytes, to: max(0, room / count))
    return CropName(bytes: rest.flatMap { $0 ?? name }, format: format)
  }
}
