#if canImport(UIKit)
  import UIKit

  /// The colors and line widths of a ``CropView``. Each color may be different in dark mode.
  public struct CropLook: Sendable {
    /// The color behind the image.
    public var ground = UIColor(dark: 0x0b_0c_0d, light: 0xdc_db_d7)
    /// The color of the image until its pixels are loaded.
    public var placeholder = UIColor(dark: 0x24_27_2b, light: 0xec_eb_e8)
    /// The color of the shade outside the selection, without its opacity.
    public var shade = UIColor.black
    /// The opacity of the shade, 0 to 1. During a gesture the shade is lighter in proportion.
    public var shadeOpacity: CGFloat = 0.65
    /// The color over the selection; nil for none.
    public var fill: UIColor?
    /// The color of the frame's outline.
    public var frame = UIColor.white
    /// The width of the frame's outline, in points; nil for the default, 1.
    public var frameWidth: CGFloat?
    /// The color of the line beneath the frame's outline, and of the dark edges of marks and
    /// lines.
    public var edge = UIColor(white: 0, alpha: 0.5)
    /// The color of the dark edges of grid lines, fainter because there are many.
    public var gridEdge = UIColor(white: 0, alpha: 0.18)
    /// The color of grid lines.
    public var grid = UIColor(white: 1, alpha: 0.6)
    /// The color of a guide's lines.
    public var guide = UIColor(red: 1, green: 0xb8 / 255, blue: 0x3d / 255, alpha: 1)
    /// The opacity of a guide's areas, 0 to 1.
    public var guideOpacity: CGFloat = 0.28
    /// The color of the lines of a JPEG's block grid, shown while edges snap to it.
    public var blocks = UIColor(white: 1, alpha: 0.22)
    /// The color of a handle's mark.
    public var handle = UIColor.white
    /// The color of the handle that is dragged, of a line that the selection snaps to, and of the
    /// horizon line.
    public var accent = UIColor(dark: 0xff_b8_3d, light: 0x9a_5b_00)
    /// Whether the handles' marks are drawn.
    public var showsHandles = true
    /// Whether the size is shown next to the selection.
    public var showsLabel = true
    /// Whether a magnifier shows the image under a finger that drags a handle.
    public var showsLens = true

    /// The default look, the same as that of the page.
    public init() {}
  }

  extension UIColor {
    /// A color for dark mode and one for light mode, as 0xRRGGBB.
    convenience init(dark: UInt32, light: UInt32) {
      self.init { @Sendable traits in
        UIColor(hex: traits.userInterfaceStyle == .dark ? dark : light)
      }
    }

    private convenience init(hex: UInt32) {
      func part(_ shift: UInt32) -> CGFloat { CGFloat(hex >> shift & 0xff) / 255 }
      self.init(red: part(16), green: part(8), blue: part(0), alpha: 1)
    }
  }
#endif
