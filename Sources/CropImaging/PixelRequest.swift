import CropCore

/// A crop for a ``PixelBackend``, checked, and with every number determined.
public struct PixelRequest: Sendable {
  /// The image file, without parts that a decoder must not see.
  public var source: ImageSource
  /// The properties of the image, from its header.
  public var info: ImageInfo
  /// The crop, in image and frame space, checked against `info.shown`.
  public var crop: ResolvedCrop
  /// How to write the result.
  public var options: ResultOptions
  /// The limits for the image.
  public var limits: Limits
  /// The file that a backend in this process may write a large result to while it encodes it; nil
  /// keeps the result in memory.
  ///
  /// A worker process gets a file in memory instead, which is sealed when the result is complete.
  /// Any other file could still be changed or shortened by a decoder that an attacker has taken
  /// over.
  public var sink: ResultFile?
  /// What happens to the density that the source states; `stated` is that of the displayed result.
  package var density = DensityEdit.kept
  /// How to resample a gain map for the crop of its image, encoded by `options`; nil for everything
  /// else.
  ///
  /// The map is the JPEG `source`, or the image ``mapItem`` of a HEIC. `crop` is then ignored.
  package var map: GainMapCut?
  /// The item ID of the gain map's image in a HEIC.
  package var mapItem: Int?

  /// A request for `crop`, which must have been checked.
  public init(
    _ source: ImageSource, info: ImageInfo, crop: ResolvedCrop,
    options: ResultOptions = ResultOptions(), limits: Limits = Limits(), sink: ResultFile? = nil
  ) {
    self.source = source
    self.info = info
    self.crop = crop
    self.options = options
    self.limits = limits
    self.sink = sink
  }
}
