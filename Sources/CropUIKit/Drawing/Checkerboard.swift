#if canImport(UIKit)
  import UIKit

  /// The background of a transparent image: squares of 8 points.
  @MainActor
  enum Checkerboard {
    // The system may ask on any thread.
    static let color = UIColor { @Sendable traits in
      traits.userInterfaceStyle == .dark ? dark : light
    }

    private nonisolated static let dark = pattern(0x2b / 255.0, 0x3a / 255.0)
    private nonisolated static let light = pattern(0xff / 255.0, 0xe3 / 255.0)

    private nonisolated static func pattern(_ one: CGFloat, _ other: CGFloat) -> UIColor {
      let tile = UIGraphicsImageRenderer(size: CGSize(width: 16, height: 16)).image { context in
        UIColor(white: one, alpha: 1).setFill()
        context.fill(CGRect(x: 0, y: 0, width: 16, height: 16))
        UIColor(white: other, alpha: 1).setFill()
        context.fill(CGRect(x: 0, y: 0, width: 8, height: 8))
        context.fill(CGRect(x: 8, y: 8, width: 8, height: 8))
      }
      return UIColor(patternImage: tile)
    }
  }
#endif
