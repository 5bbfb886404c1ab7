#if canImport(UIKit)
  import CropCore
  import CropUIKit
  import UIKit

  /// MMSCropView's view: an image view on which a drag draws the crop rectangle.
  ///
  /// As in MMSCropView, it is a `UIImageView` whose `image` is the photo. A drag draws from the
  /// first touch in any direction, and a drag inside the rectangle moves it. A tap outside clears
  /// the rectangle; a tap inside does nothing. The area outside is black at 65 % opacity, with a
  /// white edge of half a point. `crop()` returns the selected part, or the complete image without
  /// a selection.
  ///
  /// Unlike in MMSCropView, the image keeps its proportions, the result has full resolution, edges
  /// and corners can be dragged, and a rectangle that a tap cleared can be restored.
  #if canImport(ObjectiveC)
    @objc(MMSCropImageView)
    @objcMembers
  #endif
  open class MMSCropImageView: UIImageView {
    /// The view in which the user crops; it covers this one.
    public let cropView = CropView()

    /// Whether to use the look of the article: the rectangle is white at 50 % opacity with an
    /// opaque white edge. By default, the look is that of the code: black outside the rectangle,
    /// with a thin edge.
    public var usesArticleLook = false {
      didSet { cropView.look = usesArticleLook ? .mmsArticle : .mmsCropView }
    }

    /// A view of the given frame, in its superview's points.
    public override init(frame: CGRect) {
      super.init(frame: frame)
      prepare()
    }

    /// A view that shows an image.
    public override init(image: UIImage?) {
      super.init(image: image)
      prepare()
    }

    /// A view that shows an image. The highlighted one is not shown, because the crop view covers it.
    public override init(image: UIImage?, highlightedImage: UIImage?) {
      super.init(image: image, highlightedImage: highlightedImage)
      prepare()
    }

    /// A view from a storyboard.
    public required init?(coder: NSCoder) {
      super.init(coder: coder)
      prepare()
    }

    private func prepare() {
      isUserInteractionEnabled = true
      cropView.style = .marquee
      cropView.look = .mmsCropView
      cropView.execute(.margin(0))
      cropView.respectsSafeArea = false
      // Only the crop view keeps and shows the image.
      if let given = super.image {
        cropView.image = given
        super.image = nil
      }
      addSubview(cropView)
    }

    open override var image: UIImage? {
      get { cropView.image }
      set {
        cropView.image = newValue
        invalidateIntrinsicContentSize()
      }
    }

    /// The preferred treatment of HDR images; `standard` shows them without HDR.
    @available(iOS 17.0, *)
    open override var preferredImageDynamicRange: UIImage.DynamicRange {
      didSet { cropView.showsHDR = preferredImageDynamicRange != .standard }
    }

    /// The size of the image, as in every image view.
    open override var intrinsicContentSize: CGSize { image?.size ?? super.intrinsicContentSize }

    open override func layoutSubviews() {
      super.layoutSubviews()
      cropView.frame = bounds
    }

    /// Crops the image at full resolution; without a selection, returns the complete image.
    open func crop() -> UIImage? {
      guard let recipe = cropView.recipe, let picture = cropView.picture else { return image }
      return try? picture.cut(by: recipe)
    }
  }

  /// ``MMSCropImageView`` under the name of its package, for storyboards that use this name.
  #if canImport(ObjectiveC)
    @objc(MMSCropView)
  #endif
  open class MMSCropView: MMSCropImageView {}
#endif
