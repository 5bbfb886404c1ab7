#if canImport(UIKit)
  import CropCore
  import UIKit

  /// The round magnifier that shows the image under a finger.
  @MainActor
  final class LensLayer {
    let root = CALayer()
    /// The content of the image layer, enlarged.
    let picture = CALayer()
    /// The stored pixels over it.
    let detail = CALayer()
    private let cross = CAShapeLayer()

    init() {
      root.masksToBounds = true
      root.borderWidth = 2
      picture.anchorPoint = .zero
      picture.position = .zero
      cross.lineWidth = 1
      picture.addSublayer(detail)
      root.addSublayer(picture)
      root.addSublayer(cross)
    }

    /// Shows the magnifier at a point of the view; `place` maps the image into it.
    func show(
      _ place: Affine<ImageSpace, ViewSpace>, at center: CGPoint, radius: Double, ground: CGColor
    ) {
      root.isHidden = false
      root.bounds = CGRect(x: 0, y: 0, width: 2 * radius, height: 2 * radius)
      root.position = center
      root.cornerRadius = radius
      root.backgroundColor = ground
      root.borderColor = UIColor.white.cgColor
      picture.setAffineTransform(CGAffineTransform(place))
      for layer in [picture, detail] { layer.magnificationFilter = .nearest }
      let arm = CGRect(x: radius - 8, y: radius - 8, width: 16, height: 16)
      let path = CGMutablePath()
      path.move(to: CGPoint(x: arm.minX, y: arm.midY))
      path.addLine(to: CGPoint(x: arm.maxX, y: arm.midY))
      path.move(to: CGPoint(x: arm.midX, y: arm.minY))
      path.addLine(to: CGPoint(x: arm.midX, y: arm.maxY))
      cross.path = path
      cross.strokeColor = UIColor.white.cgColor
    }
  }
#endif
