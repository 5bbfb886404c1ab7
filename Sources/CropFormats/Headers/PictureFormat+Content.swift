extension PictureFormat {
  /// The format of a picture by the first bytes of its content; nothing else of it is read.
  ///
  /// - Throws: `CropError.empty`, `.unsupportedFormat`, `.unsupportedFeature` or `.corrupt` for content that is
  ///   none of the formats, and `.readFailed`.
  public init(contentOf source: PictureSource) throws(CropError) {
    guard source.byteCount > 0 else { throw .empty(file: source.name) }
    var inspection = Inspection(source, limits: Limits(), isLenient: true, page: 1)
    switch try inspection.sniff() {
    case .picture(let format): self = format
    case .other(let found): throw .unsupportedFormat(file: source.name, found: found)
    case .feature(let feature):
      throw .unsupportedFeature(file: source.name, feature: feature)
    }
  }
}
