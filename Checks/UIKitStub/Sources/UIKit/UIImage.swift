/// uikit/uiimage
public final class UIImage: NSObject, Sendable {
  /// uikit/uiimage/orientation
  public enum Orientation: Int, Sendable {
    /// uikit/uiimage/orientation/up
    case up, down, left, right, upMirrored, downMirrored, leftMirrored, rightMirrored
  }

  /// uikit/uiimage/dynamicrange
  @available(iOS 17.0, *)
  public enum DynamicRange: Int, Sendable {
    /// uikit/uiimage/dynamicrange/unspecified
    case unspecified = -1
    /// uikit/uiimage/dynamicrange/standard
    case standard, constrainedHigh, high
  }
  /// uikit/uiimage/ishighdynamicrange
  @available(iOS 17.0, *)
  public var isHighDynamicRange: Bool {
    cgImage?.colorSpace.map { CGColorSpaceUsesITUR_2100TF($0) } ?? false
  }

  /// uikit/uiimage/cgimage
  public let cgImage: CGImage?
  /// uikit/uiimage/scale
  public let scale: CGFloat
  /// uikit/uiimage/imageorientation
  public let imageOrientation: Orientation

  /// uikit/uiimage/init(cgimage:scale:orientation:)
  public init(cgImage: CGImage, scale: CGFloat, orientation: Orientation) {
    self.cgImage = cgImage
    self.scale = scale
    imageOrientation = orientation
  }

  /// uikit/uiimage/init(cgimage:)
  public convenience init(cgImage: CGImage) {
    self.init(cgImage: cgImage, scale: 1, orientation: .up)
  }

  /// uikit/uiimage/init(data:)
  /// Keeps the file's orientation, as on a device.
  public convenience init?(data: Data) {
    guard let file = PictureFileContents.of(data) else { return nil }
    let flags: [Orientation] = [
      .up, .upMirrored, .down, .downMirrored, .leftMirrored, .right, .rightMirrored, .left,
    ]
    let isKnown = (1...8).contains(file.orientation)
    self.init(
      cgImage: file.image, scale: 1, orientation: isKnown ? flags[Int(file.orientation) - 1] : .up)
  }
  /// uikit/uiimage/init(systemname:)
  public convenience init?(systemName name: String) { nil }
  /// uikit/uiimage/init(named:)
  public convenience init?(named name: String) { nil }

  /// uikit/uiimage/size
  public var size: CGSize {
    guard let cgImage else { return .zero }
    let (width, height) = (CGFloat(cgImage.width) / scale, CGFloat(cgImage.height) / scale)
    switch imageOrientation {
    case .left, .right, .leftMirrored, .rightMirrored:
      return CGSize(width: height, height: width)
    default: return CGSize(width: width, height: height)
    }
  }

  /// uikit/uiimage/draw(at:)
  public func draw(at point: CGPoint) {}
  /// uikit/uiimage/draw(in:)
  public func draw(in rect: CGRect) {}
  /// uikit/uiimage/jpegdata(compressionquality:)
  public func jpegData(compressionQuality: CGFloat) -> Data? { nil }
}

/// uikit/uigraphicsimagerendererformat
public final class UIGraphicsImageRendererFormat {
  /// uikit/uigraphicsimagerendererformat/scale
  public var scale: CGFloat = 1
  /// uikit/uigraphicsimagerendererformat/preferred()
  public class func preferred() -> UIGraphicsImageRendererFormat { UIGraphicsImageRendererFormat() }
}

/// uikit/uigraphicsimagerenderercontext
public final class UIGraphicsImageRendererContext {
  /// uikit/uigraphicsimagerenderercontext/fill(_:)
  public func fill(_ rect: CGRect) {}
}

/// uikit/uigraphicsimagerenderer
public final class UIGraphicsImageRenderer {
  private let size: CGSize
  private let scale: CGFloat

  /// uikit/uigraphicsimagerenderer/init(size:format:)
  public init(size: CGSize, format: UIGraphicsImageRendererFormat) {
    self.size = size
    scale = format.scale
  }
  /// uikit/uigraphicsimagerenderer/init(size:)
  public convenience init(size: CGSize) {
    self.init(size: size, format: UIGraphicsImageRendererFormat())
  }
  /// uikit/uigraphicsimagerenderer/image(actions:)
  public func image(actions: (UIGraphicsImageRendererContext) -> Void) -> UIImage {
    actions(UIGraphicsImageRendererContext())
    return UIImage(
      cgImage: .blank(Int(size.width * scale), Int(size.height * scale)), scale: scale,
      orientation: .up)
  }
}
