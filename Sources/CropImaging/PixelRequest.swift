import CropCore

/// One crop as a ``PixelBackend`` carries it out, with every number decided and checked.
public struct PixelRequest: Sendable {
  /// The picture, as a decoder may see it.
  public var source: PictureSource
  /// What its header says.
  public var info: ImageInfo
  /// What to cut, in image and frame space, checked against `info.shown`.
  public var crop: ResolvedCrop
  /// How the result is written.
  public var options: ResultOptions
  /// What the picture may cost.
  public var limits: Limits
  /// The file that a backend in this process may write a large result to while it makes it; nil keeps
  /// the result in memory.
  ///
  /// A worker process is handed a file in memory instead, which is sealed once the result is in it: a
  /// decoder that was taken over could still change or shorten any other file.
  public var sink: ResultFile?
  /// How `source`, the JPEG of a gain map, is sampled anew for the crop of its picture, coded by `options`; nil
  /// for everything else. `crop` then counts for nothing.
  var map: GainMapCut?

  /// Whether this is more than a crop: only ``JPEGBackend`` samples gain maps.
  package var samplesGainMap: Bool { map != nil }

  /// A request for `crop`.
  public init(
    _ source: PictureSource, info: ImageInfo, crop: ResolvedCrop,
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
