#if canImport(UIKit)
  import CropCore
  import UIKit

  /// What Interface Builder can set.
  extension CropView {
    /// The picture.
    @IBInspectable public var picturePreset: UIImage? {
      get { image }
      set { image = newValue }
    }

    /// `marquee`, `viewfinder` or `studio`; anything else is `studio`.
    @IBInspectable public var styleName: String {
      get { CropPreset.name(of: style) }
      set { style = CropPreset.style(named: newValue) }
    }

    /// `free`, `original`, `square` or a ratio such as `16:9`; anything else is `free`.
    @IBInspectable public var ratioName: String {
      get { CropPreset.name(of: session.ratio) }
      set { perform(.ratio(CropPreset.ratio(named: newValue))) }
    }

    /// `rectangle`, `ellipse` or `rounded:24`; anything else is `rectangle`.
    @IBInspectable public var shapeName: String {
      get { CropPreset.name(of: session.shape) }
      set { perform(.shape(CropPreset.shape(named: newValue))) }
    }

    /// The object that is told what the person does; it must be a ``CropViewDelegate``.
    @IBOutlet public var delegateObject: AnyObject? {
      get { delegate }
      set { delegate = newValue as? any CropViewDelegate }
    }
  }
#endif
