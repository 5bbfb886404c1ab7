/// The stored pixels, before the EXIF orientation is applied.
///
/// Unit: bitmap pixel. The origin is the top-left corner of the top-left stored pixel; pixel (0, 0)
/// covers [0, 1) × [0, 1).
public enum BitmapSpace: Sendable {}

/// The upright pixels: the bitmap with its orientation applied.
///
/// Unit: image pixel. The origin is the top-left corner of the upright image.
public enum ImageSpace: Sendable {}

/// The image as the user framed it: image space after a recipe's mirror and quarter turns.
///
/// Unit: frame pixel, as large as an image pixel. All numbers shown to users are in this space.
public enum FrameSpace: Sendable {}

/// The pixels of a result, after cropping and resampling.
///
/// Unit: result pixel. The origin is the top-left corner of the result.
public enum ResultSpace: Sendable {}

/// The view that shows the image.
///
/// Unit: point of the view (a CSS pixel in a browser, a point on iOS), fractional. The origin is the
/// view's top-left corner.
public enum ViewSpace: Sendable {}

/// A point on the stored pixels.
public typealias BitmapPoint = CropPoint<BitmapSpace>
/// A point on the upright image.
public typealias ImagePoint = CropPoint<ImageSpace>
/// A point on the frame.
public typealias FramePoint = CropPoint<FrameSpace>
/// A point of the view.
public typealias ViewPoint = CropPoint<ViewSpace>

/// A size in stored pixels.
public typealias BitmapSize = PixelSize<BitmapSpace>
/// A size in upright pixels.
public typealias ImageSize = PixelSize<ImageSpace>
/// A size in upright, turned pixels.
public typealias FrameSize = PixelSize<FrameSpace>

/// A rectangle of whole stored pixels.
public typealias BitmapRect = PixelRect<BitmapSpace>
/// A rectangle of whole upright pixels.
public typealias ImageRect = PixelRect<ImageSpace>

/// A rectangle on the frame: the upright image after its mirror and quarter turns.
///
/// Lengths are pixels; the origin is the top-left corner and `y` grows downwards.
public typealias FrameRect = CropRect<FrameSpace>
/// A rectangle in the view, in points.
public typealias ViewRect = CropRect<ViewSpace>
