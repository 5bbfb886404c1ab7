#if canImport(UIKit)
  import CropCore
  import UIKit

  /// Properties for Interface Builder.
  extension CropView {
    /// The image, for Interface Builder.
    @IBInspectable public var picturePreset: UIImage? {
      get { image }
      set { image = newValue }
    }

    /// The style, for Interface Builder: `marquee`, `viewfinder` or `studio`; any other text means
    /// `studio`.
    @IBInspectable public var styleName: String {
      get { CropPreset.name(of: style) }
      set { style = CropPreset.style(named: newValue) }
    }

    /// The ratio, for Interface Builder: `free`, `original`, `square` or a ratio such as `16:9`;
    /// any other text means `free`.
    @IBInspectable public var ratioName: String {
      get { CropPreset.name(of: session.ratio) }
      set { execute(.ratio(CropPreset.ratio(named: newValue))) }
    }

    /// The outline, for Interface Builder: `rectangle`, `ellipse` or a rounded one such as
    /// `rounded:24`; any other text means `rectangle`.
    @IBInspectable public var shapeName: String {
      get { CropPreset.name(of: session.shape) }
      set { execute(.shape(CropPreset.shape(named: newValue))) }
    }

    /// The delegate, for Interface Builder; it must be a ``CropViewDelegate``.
    @IBOutlet public var delegateObject: AnyObject? {
      get { delegate }
      set { delegate = newValue as? any CropViewDelegate }
    }
  }
#endif
