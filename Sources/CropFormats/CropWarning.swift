/// Something a person should know about a picture that was read or cropped all the same.
public struct CropWarning: Sendable, Hashable, Codable {
  /// The stable name, in kebab-case, such as `truncated`.
  public let code: String
  /// One line for a person, without the file's name.
  public let message: String
  /// What was left out, where ``code`` is `metadata-dropped`; nil otherwise.
  public let dropped: [MetadataKind]?

  /// A warning of the given name and words.
  public init(code: String, message: String, dropped: [MetadataKind]? = nil) {
    self.code = code
    self.message = message
    self.dropped = dropped
  }
}

extension CropWarning {
  /// The file ends too early and was read leniently; the missing part is blank or smeared.
  public static func truncated(_ detail: String) -> Self {
    Self(code: "truncated", message: "the file ends too early: \(detail); missing parts are blank")
  }

  /// The file is damaged and was read leniently; part of the picture is wrong or blank.
  public static func damaged(_ detail: String) -> Self {
    Self(code: "damaged", message: "part of the picture could not be decoded: \(detail)")
  }

  /// Bytes that belong to nothing, before a marker; harmless.
  public static var extraBytes: Self {
    Self(code: "extra-bytes", message: "bytes that belong to nothing were skipped")
  }

  /// The pages of a TIFF lead back to an earlier one; each of the `count` there are was read once.
  public static func pagesInCircle(count: Int) -> Self {
    Self(
      code: "pages-in-circle",
      message: "its pages lead back to an earlier one; it is read as \(count) "
        + (count == 1 ? "page" : "pages"))
  }

  /// Only one of several frames or pages is in the result.
  ///
  /// - Parameters:
  ///   - kept: the number of the frame or page that is in the result, from 1.
  ///   - count: how many frames or pages the file has.
  ///   - arePages: whether the file has pages, as TIFF does, instead of frames.
  public static func framesDropped(kept: Int, of count: Int, arePages: Bool = false) -> Self {
    Self(
      code: "frames-dropped",
      message: "only \(arePages ? "page" : "frame") \(kept) of \(count) is in the result")
  }

  /// A progressive JPEG ends, as it should, before all of its scans: it is whole but without its detail.
  public static var scansMissing: Self {
    Self(
      code: "scans-missing",
      message:
        "the file lacks the scans with the picture's detail; it is smoothed as viewers show it")
  }

  /// The file that was replaced has other names (hard links), under which the uncut picture stays.
  public static func hardLinked(names: Int) -> Self {
    Self(
      code: "hard-linked",
      message:
        "the uncut picture stays under \(names == 1 ? "another name" : "\(names) other names") "
        + "of the same file (hard \(names == 1 ? "link" : "links"))")
  }

  /// Channels that are neither colours nor transparency are not in the result.
  public static var channelsDropped: Self {
    Self(
      code: "channels-dropped",
      message: "the file has channels beside colours and transparency; they are not in the result")
  }

  /// Transparency was replaced by the background colour, because the format can't hold it.
  public static var alphaFlattened: Self {
    Self(
      code: "alpha-flattened",
      message: "the format has no transparency; the background colour shows instead")
  }

  /// The colours were converted to sRGB, because the format can't hold them as they were.
  public static func colorsConverted(from info: ImageInfo) -> Self {
    let kind = info.color == .cmyk ? "CMYK" : info.color == .lab ? "CIE L*a*b*" : nil
    let name = kind ?? info.profileName ?? info.colorCoding?.displayName ?? "their own space"
    return Self(
      code: "colors-converted", message: "the colours were converted from \(name) to sRGB")
  }

  /// An HDR picture was converted to sRGB: what is brighter than white is white.
  public static var lightCutOff: Self {
    Self(
      code: "light-cut-off",
      message:
        "the picture is HDR and was converted to sRGB; everything brighter than white is white")
  }

  /// An HDR picture is in a format whose only statement of HDR is the `cicp` tag of an ICC profile.
  public static var lightInProfile: Self {
    Self(
      code: "hdr-in-profile",
      message:
        "the result is HDR only for programs that read the cicp tag of its ICC profile; others "
        + "show everything brighter than white as white")
  }

  /// The result has fewer bits a channel than the source.
  public static func depthReduced(from: Int, to: Int) -> Self {
    Self(code: "depth-reduced", message: "\(from) bits a channel became \(to)")
  }

  /// Metadata was left out because it tells of the whole picture or could show what was cut away, or
  /// because the format has no place for it.
  public static func metadataDropped(_ kinds: [MetadataKind]) -> Self {
    Self(
      code: "metadata-dropped",
      message: "left out: " + kinds.map(\.displayName).joined(separator: ", "), dropped: kinds)
  }
}

extension CropWarning {
  /// The warning for damage that was passed over on request; nil for an error that is not damage.
  package init?(passingOver error: CropError) {
    switch error {
    case .corrupt(_, let detail): self = .damaged(detail)
    case .truncated(_, let detail): self = .truncated(detail)
    default: return nil
    }
  }
}
