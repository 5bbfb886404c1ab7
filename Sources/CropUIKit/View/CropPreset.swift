#if canImport(UIKit)
  import CropCore

  /// Styles, ratios and shapes by the names that Interface Builder and the web element use.
  enum CropPreset {
    static func name(of style: CropStyle) -> String {
      switch style {
      case .marquee: "marquee"
      case .viewfinder: "viewfinder"
      case .studio: "studio"
      case .quad: "quad"
      }
    }

    static func style(named name: String) -> CropStyle {
      CropStyle.allCases.first { self.name(of: $0) == name } ?? .studio
    }

    static func name(of ratio: RatioChoice) -> String {
      switch ratio {
      case .free: "free"
      case .original: "original"
      case .fixed(.square): "square"
      case .fixed(let ratio): "\(ratio.width):\(ratio.height)"
      }
    }

    static func ratio(named name: String) -> RatioChoice { RatioChoice(text: name) ?? .free }

    static func name(of shape: CropShape) -> String {
      switch shape {
      case .rectangle: "rectangle"
      case .ellipse: "ellipse"
      case .roundedRectangle(let radius): "rounded:\(radius)"
      }
    }

    static func shape(named name: String) -> CropShape { CropShape(text: name) ?? .rectangle }
  }
#endif
