#if canImport(UIKit)
  import CropCore
  import UIKit

  /// MMSCropView's view: an image view on which a drag draws the part to keep.
  ///
  /// Kept: a `UIImageView` whose `image` is the picture; a drag draws from the first touch in any
  /// direction; pressing inside moves; a tap outside hides, a tap inside does nothing; black at 65
  /// % outside and an edge of half a point in white; `crop()` gives the covered part, the whole
  /// picture when nothing is selected.
  ///
  /// Better: the picture keeps its proportions instead of being stretched; full resolution; edges
  /// and corners can be dragged; a rectangle that was cleared by a tap can be brought back.
  #if canImport(ObjectiveC)
    @objc(MMSCropImageView)
    @objcMembers
  #endif
  open class MMSCropImageView: UIImageView {
    /// The view that does the work; it lies over the whole of this one.
    public let cropView = CropView()

    /// Whether the look is the article's, the rectangle white and half transparent with a solid white
    /// edge, instead of the later code's, black outside with a thin edge.
    public var usesArticleLook = false {
      didSet { cropView.look = usesArticleLook ? .mmsArticle : .mmsCropView }
    }

    /// A view of the given frame, in its superview's points.
    public override init(frame: CGRect) {
      super.init(frame: frame)
      prepare()
    }

    /// A view that shows a picture.
    public override init(image: UIImage?) {
      super.init(image: image)
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
      cropView.perform(.margin(0))
      cropView.respectsSafeArea = false
      cropView.image = image
      addSubview(cropView)
    }

    open override var image: UIImage? {
      didSet { cropView.image = image }
    }

    open override func layoutSubviews() {
      super.layoutSubviews()
      cropView.frame = bounds
    }

    /// The covered part at full resolution; the whole picture when nothing is selected.
    open func crop() -> UIImage? {
      guard let recipe = cropView.recipe, let picture = cropView.picture else { return image }
      return try? picture.cut(by: recipe)
    }
  }

  /// ``MMSCropImageView`` by the name of its package, for storyboards that call it so.
  #if canImport(ObjectiveC)
    @objc(MMSCropView)
  #endif
  open class MMSCropView: MMSCropImageView {}
#endif
