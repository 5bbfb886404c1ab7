#if canImport(UIKit)
  import CropCore
  import UIKit

  /// A canvas around a result: a larger image that contains the complete crop, and a fill for the
  /// rest.
  ///
  ///     view.canvas = ResultCanvas(.ratio(.square), margin: .percent(5), fill: .blur)
  ///
  /// The crop is scaled down if the canvas size requires it, never up. A result on a canvas is
  /// always re-encoded, without a gain map.
  public struct ResultCanvas: Hashable, Sendable {
    /// What fills a canvas around the crop.
    public enum Fill: Hashable, Sendable {
      /// A color; it also shows through transparent parts of the crop. A dynamic color is
      /// resolved on the main actor when the result is requested: with the traits of the view that
      /// makes it, otherwise with the current ones.
      case color(UIColor)
      /// Transparent pixels; the result is a PNG instead of a JPEG.
      case transparent
      /// The median color of the crop's outermost pixels; transparent ones count as white.
      case edge
      /// The crop, enlarged to cover the canvas and blurred; transparent pixels count as white.
      case blur
    }

    /// The size of the canvas: that of the crop plus the margin, a ratio, or a size in pixels.
    public var extent: CropCanvas.Extent
    /// The free space on every side of the crop: pixels of the result, or a percentage of the
    /// canvas's shorter side, from 0 to less than 50.
    public var margin: CropLength
    /// Where the crop lies in the area inside the margin.
    public var gravity: Gravity
    /// What fills the rest of the canvas.
    public var fill: Fill

    /// A canvas; the properties describe the valid values.
    public init(
      _ extent: CropCanvas.Extent = .crop, margin: CropLength = .pixels(0),
      gravity: Gravity = .center, fill: Fill = .color(.white)
    ) {
      (self.extent, self.margin, self.gravity, self.fill) = (extent, margin, gravity, fill)
    }

    /// The same canvas without a dynamic color, whose closure may only be called on the main actor.
    @MainActor
    func resolved(with traits: UITraitCollection = .current) -> ResultCanvas {
      guard case .color(let color) = fill else { return self }
      var canvas = self
      canvas.fill = .color(color.resolvedColor(with: traits))
      return canvas
    }

    /// The position of a crop on the canvas, in pixels.
    ///
    /// - Throws: ``PictureError/canvas`` if the canvas is invalid for the crop.
    func layout(of crop: ResolvedCrop) throws(PictureError) -> CanvasLayout {
      let canvas = CropCanvas(extent: extent, margin: margin, gravity: gravity)
      guard let layout = canvas.layout(of: crop.output) else { throw .canvas }
      return layout
    }
  }
#endif
