#if canImport(UIKit)
  import UIKit

  /// The colours and weights with which a ``CropView`` draws; every colour may differ in dark mode.
  public struct CropLook: Sendable {
    /// Behind the picture.
    public var ground = UIColor(dark: 0x0b_0c_0d, light: 0xdc_db_d7)
    /// The picture until its pixels are there.
    public var placeholder = UIColor(dark: 0x24_27_2b, light: 0xec_eb_e8)
    /// The shade outside the selection, without its opacity.
    public var shade = UIColor.black
    /// The shade's opacity at rest, 0 to 1; while something is held it is lighter in proportion.
    public var shadeOpacity: CGFloat = 0.65
    /// Over what is selected; nil leaves it as it is.
    public var fill: UIColor?
    /// The frame's line.
    public var frame = UIColor.white
    /// The width of the frame's line in points; nil is the scene's, 1.
    public var frameWidth: CGFloat?
    /// The line beneath the frame's line, and the dark edges of marks and lines.
    public var edge = UIColor(white: 0, alpha: 0.5)
    /// The dark edges of helping lines, fainter because they are many.
    public var gridEdge = UIColor(white: 0, alpha: 0.18)
    /// Helping lines.
    public var grid = UIColor(white: 1, alpha: 0.6)
    /// The lines of a JPEG's grid, where edges snap to it.
    public var blocks = UIColor(white: 1, alpha: 0.22)
    /// A handle's mark.
    public var handle = UIColor.white
    /// The handle that is held, the line that catches, the horizon.
    public var accent = UIColor(dark: 0xff_b8_3d, light: 0x9a_5b_00)
    /// Whether the handles' marks are drawn.
    public var showsHandles = true
    /// Whether the size is shown beside the selection.
    public var showsLabel = true
    /// Whether a lens shows what a finger covers while it holds a handle.
    public var showsLens = true

    /// The look of the page and of the other faces.
    public init() {}
  }

  extension CropLook {
    /// The look of CropImg: a stroke of 3 points black under 1 point white, both at half strength, no shade
    /// and no marks (the corner points are views).
    public static var cropImg: CropLook {
      var look = CropLook()
      look.shadeOpacity = 0
      look.frame = UIColor(white: 1, alpha: 0.5)
      look.showsHandles = false
      look.showsLabel = false
      return look
    }

    /// The look of MMSCropView: black at 65 % outside, an edge of half a point in white, nothing else.
    public static var mmsCropView: CropLook {
      var look = CropLook()
      look.frameWidth = 0.5
      look.edge = .clear
      look.showsHandles = false
      look.showsLabel = false
      return look
    }

    /// The look of MMSCropView in the article that presented it: white at half strength over what is
    /// selected, with a solid white edge, and no shade.
    public static var mmsArticle: CropLook {
      var look = mmsCropView
      look.shadeOpacity = 0
      look.fill = UIColor(white: 1, alpha: 0.5)
      look.frameWidth = 1
      return look
    }

    /// The look of the clip screen: 15 % grey at 60 % outside, an edge of half a point in white.
    public static var clipScreen: CropLook {
      var look = mmsCropView
      look.ground = .black
      look.shade = UIColor(white: 0.15, alpha: 1)
      look.shadeOpacity = 0.6
      return look
    }
  }

  extension UIColor {
    /// A colour for dark and one for light surroundings, as 0xRRGGBB.
    convenience init(dark: UInt32, light: UInt32) {
      self.init { traits in
        UIColor(hex: traits.userInterfaceStyle == .dark ? dark : light)
      }
    }

    private convenience init(hex: UInt32) {
      func part(_ shift: UInt32) -> CGFloat { CGFloat(hex >> shift & 0xff) / 255 }
      self.init(red: part(16), green: part(8), blue: part(0), alpha: 1)
    }
  }
#endif
