import CropCore
import CropImaging

/// The names of a photo's target files: a pattern with `{name}`, `{target}`, `{number}`, `{width}`
/// and `{height}`. The extension of the file's format is appended.
public struct TargetNames: Sendable {
  private let parts: [NamePattern.Part]

  /// `{name}-{target}`.
  public static let usual = TargetNames(parts: [.name, .text([UInt8(ascii: "-")]), .target])

  private static let maxBytes = 200

  private init(parts: [NamePattern.Part]) { self.parts = parts }

  /// Parses a pattern, which may end with `.{ext}`; nil for a pattern that is empty or too long, or
  /// that contains a slash, an unknown placeholder or an unclosed brace.
  public init?(_ pattern: String) {
    let ending = ".{ext}"
    let stem = Array(
      (pattern.hasSuffix(ending) ? pattern.dropLast(ending.count) : pattern[...]).utf8)
    guard stem.count <= Self.maxBytes, let parts = NamePattern(stem)?.parts,
      !parts.contains(.ext)
    else { return nil }
    for case .text(let text) in parts where text.contains(UInt8(ascii: "}")) { return nil }
    self.parts = parts
  }

  /// Whether the files of several targets have different names.
  public var tellsApart: Bool { parts.contains(.target) || parts.contains(.number) }

  /// The name of a target's file of this size in pixels; `number` is the target's position, from 1.
  ///
  /// - Parameter photo: the photo's name without its extension.
  public func name(
    of photo: PathBytes, target: String, number: Int, format: ImageFormat, size: FrameSize
  ) -> CropName {
    let rest = parts.map { part -> [UInt8]? in
      switch part {
      case .text(let text): Array(CropName.plain(String(decoding: text, as: UTF8.self)).utf8)
      case .target: Array(CropName.plain(target).utf8)
      case .number: Array("\(number)".utf8)
      case .width: Array("\(size.width)".utf8)
      case .height: Array("\(size.height)".utf8)
      case .name, .ext: nil
      }
    }
    // The distinguishing parts are kept; a long photo name is shortened.
    let count = rest.count { $0 == nil }
    let room = CropName.room(for: format) - rest.reduce(0) { $0 + ($1?.count ?? 0) }
    let name = count == 0 ? [] : CropName.shortened(photo.bytes, to: max(0, room / count))
    return CropName(bytes: rest.flatMap { $0 ?? name }, format: format)
  }
}
