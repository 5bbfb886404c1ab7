#if canImport(UIKit)
  import CropUIKit
  import UIKit

  extension CropLook {
    /// The look of CropImg: an outline of 3 points in black under 1 point in white, both at 50 %
    /// opacity, and no shade or marks (the corner points are views).
    public static var cropImg: CropLook {
      var look = CropLook()
      look.shadeOpacity = 0
      look.frame = UIColor(white: 1, alpha: 0.5)
      look.showsHandles = false
      look.showsLabel = false
      return look
    }

    /// The look of MMSCropView: black at 65 % opacity outside the selection, and a white edge of
    /// half a point.
    public static var mmsCropView: CropLook {
      var look = CropLook()
      look.frameWidth = 0.5
      look.edge = .clear
      look.showsHandles = false
      look.showsLabel = false
      return look
    }

    /// The look of MMSCropView in the article that introduced it: white at 50 % opacity over the
    /// selection, with an opaque white edge, and no shade.
    public static var mmsArticle: CropLook {
      var look = mmsCropView
      look.shadeOpacity = 0
      look.fill = UIColor(white: 1, alpha: 0.5)
      look.frameWidth = 1
      return look
    }

    /// The look of the clip screen: 15 % gray at 60 % opacity outside the selection, and a white
    /// edge of half a point.
    public static var clipScreen: CropLook {
      var look = mmsCropView
      look.ground = .black
      look.shade = UIColor(white: 0.15, alpha: 1)
      look.shadeOpacity = 0.6
      return look
    }
  }
#endif
