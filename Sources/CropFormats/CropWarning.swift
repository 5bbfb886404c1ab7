import CropCore

/// A problem with an image that was read or cropped anyway, for users to know.
public struct CropWarning: Sendable, Hashable, Codable {
  /// The stable identifier, in kebab-case, such as `truncated`.
  public let code: String
  /// A one-line message, without the file's name.
  public let message: String
  /// The kinds of metadata that were dropped, if ``code`` is `metadata-dropped`; otherwise nil.
  public let dropped: [MetadataKind]?

  /// A warning with the given code and message.
  public init(code: String, message: String, dropped: [MetadataKind]? = nil) {
    self.code = code
    self.message = message
    self.dropped = dropped
  }
}

extension CropWarning {
  /// The file is truncated and was read leniently; the missing part is blank or smeared.
  public static func truncated(_ detail: String) -> Self {
    Self(code: "truncated", message: "the file ends too early: \(detail); missing parts are blank")
  }

  /// The file is damaged and was read leniently; part of the image is wrong or blank.
  public static func damaged(_ detail: String) -> Self {
    Self(code: "damaged", message: "part of the image could not be decoded: \(detail)")
  }

  /// The file has stray bytes before a marker, which is harmless.
  public static var extraBytes: Self {
    Self(code: "extra-bytes", message: "unknown bytes were skipped")
  }

  /// The page links of a TIFF form a loop; each of its `count` pages was read once.
  public static func pagesInCircle(count: Int) -> Self {
    Self(
      code: "pages-in-circle",
      message: "its pages form a loop; it is read as \(count) "
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

  /// A progressive JPEG has an end marker but not all of its scans: the image is complete but lacks
  /// detail.
  public static var scansMissing: Self {
    Self(
      code: "scans-missing",
      message:
        "the file lacks the scans with fine detail; the image is smoothed, as viewers show it, "
        + "unless the crop is lossless")
  }

  /// The replaced file has other names (hard links), under which the uncropped image still exists.
  public static func hardLinked(names: Int) -> Self {
    Self(
      code: "hard-linked",
      message:
        "the original image is still available as \(names == 1 ? "another name" : "\(names) other names") "
        + "of the same file (hard \(names == 1 ? "link" : "links"))")
  }

  /// Channels that are neither color nor transparency are not in the result.
  public static var channelsDropped: Self {
    Self(
      code: "channels-dropped",
      message:
        "the file has channels other than colors and transparency; they are not in the result")
  }

  /// Transparent pixels were blended with the background color, because the format does not
  /// support transparency.
  public static var alphaFlattened: Self {
    Self(
      code: "alpha-flattened",
      message: "the format has no transparency; the background color shows instead")
  }

  /// The colors were converted to sRGB, because the format can't store the source's color space.
  public static func colorsConverted(from info: ImageInfo) -> Self {
    let kind = info.color == .cmyk ? "CMYK" : info.color == .lab ? "CIE L*a*b*" : nil
    let name = kind ?? info.profileName ?? info.colorCoding?.displayName ?? "their own space"
    return Self(
      code: "colors-converted", message: "the colors were converted from \(name) to sRGB")
  }

  /// An HDR image was converted to sRGB: everything brighter than white became white.
  public static var lightCutOff: Self {
    Self(
      code: "light-cut-off",
      message:
        "the image is HDR and was converted to sRGB; everything brighter than white is now white")
  }

  /// The only statement of HDR in the result is the `cicp` tag of its ICC profile, which not every
  /// program reads.
  public static var lightInProfile: Self {
    Self(
      code: "hdr-in-profile",
      message:
        "the result is HDR only for programs that read the cicp tag of its ICC profile; others "
        + "show everything brighter than white as white")
  }

  /// The result has fewer bits per channel than the source.
  public static func depthReduced(from: Int, to: Int) -> Self {
    Self(code: "depth-reduced", message: "\(from) bits per channel became \(to)")
  }

  /// The result has more bits per channel than the image, because the encoder can't write as many.
  public static func depthRaised(from: Int, to: Int) -> Self {
    Self(
      code: "depth-raised",
      message: "\(from) bits per channel became \(to): this system's encoder can't write \(from)")
  }

  /// Metadata were dropped because they describe the complete image or could show the cut-off part,
  /// or because the format can't store them.
  public static func metadataDropped(_ kinds: [MetadataKind]) -> Self {
    Self(
      code: "metadata-dropped",
      message: "left out: " + kinds.map(\.displayName).joined(separator: ", "), dropped: kinds)
  }
}

extension CropWarning {
  /// A crop has fewer pixels than its size on paper needs.
  package static func lowDensity(_ print: CropPrint, has part: FrameSize) -> Self {
    let needed = print.pixels
    return Self(
      code: "low-density",
      message: "\(Int(print.density)) dpi needs \(needed.width) × \(needed.height) pixels, "
        + "the crop has \(part.width) × \(part.height)")
  }

  /// A density was asked for that the format can't state.
  package static func densityLeftOut(_ format: ImageFormat) -> Self {
    Self(
      code: "density-left-out", message: "\(format.displayName) files can't state a density")
  }
}

extension CropWarning {
  /// The warning for damage that was ignored on request; nil for an error that is not damage.
  package init?(passingOver error: CropError) {
    switch error {
    case .corrupt(_, let detail): self = .damaged(detail)
    case .truncated(_, let detail): self = .truncated(detail)
    default: return nil
    }
  }
}
