/// What a list shows about an image, read from the start of its file.
///
/// Unlike for ``ImageInfo``, a JPEG is not read to its end, so a truncated one is not detected.
public struct ImageSummary: Sendable, Equatable {
  /// The format, detected by content.
  public var format: ImageFormat
  /// The displayed width, in pixels.
  public var width: Int
  /// The displayed height, in pixels.
  public var height: Int
  /// When the photo was taken; nil if EXIF does not state it.
  public var captured: CaptureMoment?
  /// Whether the file contains XMP.
  public var hasXMP: Bool
}

/// When a photo was taken, by the camera's clock (EXIF DateTimeOriginal).
public struct CaptureMoment: Sendable, Hashable {
  /// The time on the camera's clock, in seconds since 1970-01-01 00:00 of the same time zone.
  public var clock: Int
  /// The difference between the clock and UTC in minutes, −14 × 60 to 14 × 60, positive east of
  /// Greenwich; nil if EXIF does not state it.
  public var offset: Int?

  /// A moment by the camera's clock.
  public init(clock: Int, offset: Int? = nil) {
    self.clock = clock
    self.offset = offset
  }

  /// Parses EXIF's `2024:05:31 17:08:09` and, if present, `+02:00`; nil for anything but a date.
  init?(exif text: [UInt8], offset: [UInt8]?) {
    func number(_ range: Range<Int>) -> Int? {
      guard range.upperBound <= text.count else { return nil }
      return text[range].reduce(0 as Int?) { sum, byte in
        guard let sum, (0x30...0x39).contains(byte) else { return nil }
        return sum * 10 + Int(byte) - 0x30
      }
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
      let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
      (1800...9999).contains(year), (1...12).contains(month), (1...31).contains(day), hour < 24,
      minute < 60, second <= 60
    else { return nil }
    // Days from 1970-01-01 in the Gregorian calendar; the year starts in March.
    let shifted = month <= 2 ? year - 1 : year
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    let days = 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    clock = days * 86_400 + hour * 3600 + minute * 60 + second
    self.offset = offset.flatMap(Self.minutes)
  }

  private static func minutes(_ text: [UInt8]) -> Int? {
    guard text.count >= 6, text[0] == UInt8(ascii: "+") || text[0] == UInt8(ascii: "-") else {
      return nil
    }
    let digits = [text[1], text[2], text[4], text[5]].map { Int($0) - 0x30 }
    guard digits.allSatisfy({ (0...9).contains($0) }) else { return nil }
    let minutes = (digits[0] * 10 + digits[1]) * 60 + digits[2] * 10 + digits[3]
    guard minutes <= 14 * 60 else { return nil }
    return text[0] == UInt8(ascii: "-") ? -minutes : minutes
  }
}

extension ImageSummary {
  /// The information at the start of a file, for formats that store it there.
  ///
  /// - Throws: an error for an invalid file, or an unsupported format or size.
  package init(_ source: ImageSource, limits: Limits) throws(CropError) {
    var inspection = Inspection(source, limits: limits, isLenient: false, isSummary: true)
    let info = try inspection.info()
    self.init(
      format: info.format, width: info.shown.width, height: info.shown.height,
      captured: inspection.captured, hasXMP: info.metadata.contains(.xmp))
  }
}

extension Inspection {
  /// Records when the photo was taken, if the EXIF directory that `main` refers to states it.
  mutating func noteCapture(
    _ main: TIFFStructure.Directory, _ structure: TIFFStructure
  ) throws(CropError) {
    guard isSummary, captured == nil,
      let offset = try structure.number(main[TIFFTag.exif], &reader),
      let exif = try structure.directory(offset, &reader),
      let date = try text(exif[TIFFTag.originalDate], bytes: 19)
    else { return }
    captured = CaptureMoment(
      exif: date, offset: try text(exif[TIFFTag.originalDateOffset], bytes: 6))
  }

  private mutating func text(
    _ field: TIFFStructure.Field?, bytes count: Int
  ) throws(CropError) -> [UInt8]? {
    guard let field, field.type == 2, field.count >= count, let start = field.values else {
      return nil
    }
    return try reader.bytes(start, count)
  }
}
