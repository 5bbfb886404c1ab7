import CropCore
import Foundation
import Testing
import UIKit

@testable import CheckedCropUIKit

/// The layers of a screen as SVG, for the README's picture of the crop screen.
///
/// The stand-ins have no layout of stacks, no symbols and no letters: buttons are distributed here,
/// and drawn with separate outlines.
struct LayerRecorder {
  /// The URL of the file with the image's pixels.
  let photo: String
  private(set) var text = ""

  mutating func record(_ view: UIView) {
    guard !view.isHidden else { return }
    text += "<g transform=\"translate(\(view.frame.minX) \(view.frame.minY))\">"
    if let ground = view.backgroundColor?.resolvedColor(with: view.traitCollection).cgColor {
      let corner = view.layer.cornerRadius
      let size = view.bounds.size
      text += "<rect width=\"\(size.width)\" height=\"\(size.height)\" rx=\"\(corner)\" "
      text += "fill=\"\(Self.css(ground))\"/>"
    }
    let size = view.bounds.size
    let clips = view.layer.masksToBounds
    if clips { text += "<svg width=\"\(size.width)\" height=\"\(size.height)\">" }
    let own = view.layer.sublayers?.filter { layer in !view.subviews.contains { $0.layer === layer }
    }
    for layer in own ?? [] { record(layer) }
    if clips { text += "</svg>" }
    write(view)
    if let bar = view as? UIStackView { Self.spread(bar) }
    for part in view.subviews { record(part) }
    text += "</g>"
  }

  private mutating func record(_ layer: CALayer) {
    guard !layer.isHidden else { return }
    let map = layer.affineTransform()
    let numbers = [map.a, map.b, map.c, map.d, map.tx, map.ty].map { "\($0)" }.joined(
      separator: " ")
    text += "<g opacity=\"\(layer.opacity)\" transform=\"matrix(\(numbers))\">"
    if layer.contents != nil {
      text += "<image href=\"\(photo)\" width=\"\(layer.bounds.width)\" "
      text += "height=\"\(layer.bounds.height)\" preserveAspectRatio=\"none\"/>"
    }
    if let shape = layer as? CAShapeLayer, let path = shape.path {
      text += "<path d=\"\(Self.outline(path))\" fill=\"\(Self.css(shape.fillColor))\" "
      text += "fill-rule=\"\(shape.fillRule == .evenOdd ? "evenodd" : "nonzero")\" "
      text += "stroke=\"\(Self.css(shape.strokeColor))\" stroke-width=\"\(shape.lineWidth)\"/>"
    }
    for inner in layer.sublayers ?? [] { record(inner) }
    text += "</g>"
  }

  private mutating func write(_ view: UIView) {
    let middle = CGPoint(x: view.bounds.midX, y: view.bounds.midY)
    if let label = view as? UILabel, let words = label.text {
      say(words, at: middle, label.textColor ?? .label, size: 12, view)
    } else if let button = view as? UIButton, let name = button.accessibilityLabel {
      let color = button.configuration?.baseForegroundColor ?? .label
      guard let symbol = Self.symbols[name] else {
        return say(name, at: middle, color, size: 17, view)
      }
      let look = color.resolvedColor(with: view.traitCollection).cgColor
      text += "<path transform=\"translate(\(middle.x - 12) \(middle.y - 12))\" d=\"\(symbol)\" "
      text += "fill=\"none\" stroke=\"\(Self.css(look))\" stroke-width=\"1.75\" "
      text += "opacity=\"\(button.isEnabled ? 1 : 0.35)\"/>"
    }
  }

  private mutating func say(
    _ words: String, at point: CGPoint, _ color: UIColor, size: Int, _ view: UIView
  ) {
    let isOff = (view as? UIControl)?.isEnabled == false
    text +=
      "<text x=\"\(point.x)\" y=\"\(point.y)\" font-size=\"\(size)\" opacity=\"\(isOff ? 0.35 : 1)\" "
    text += "text-anchor=\"middle\" dominant-baseline=\"central\" font-family=\"sans-serif\" "
    text +=
      "fill=\"\(Self.css(color.resolvedColor(with: view.traitCollection).cgColor))\">\(words)</text>"
  }

  /// Positions the parts of a bar as UIKit would.
  private static func spread(_ bar: UIStackView) {
    let across = bar.axis == .horizontal
    let length = across ? bar.bounds.width : bar.bounds.height
    let fixed = bar.subviews.map { view -> CGFloat in
      guard across, let name = view.accessibilityLabel, view is UIButton, symbols[name] == nil
      else { return 44 }
      return CGFloat(name.count) * 9 + 16
    }
    let fills = bar.distribution == .fill
    let parts = bar.subviews.count
    let rest = length - fixed.reduce(0, +)
    var at: CGFloat = 0
    for (view, own) in zip(bar.subviews, fixed) {
      let takesRest = fills && !(view is UIButton)
      let size = takesRest ? own + rest - bar.spacing * CGFloat(parts - 1) : own
      let thickness = across ? bar.bounds.height : bar.bounds.width
      view.frame =
        across
        ? CGRect(x: at, y: 0, width: size, height: thickness)
        : CGRect(x: 0, y: at, width: thickness, height: size)
      view.setNeedsLayout()
      view.layoutIfNeeded()
      at += size + (fills ? bar.spacing : rest / CGFloat(max(parts - 1, 1)))
    }
  }

  private static func outline(_ path: CGPath) -> String {
    path.parts.map { part in
      switch part {
      case .move(let point): "M\(point.x) \(point.y)"
      case .line(let point): "L\(point.x) \(point.y)"
      case .close: "Z"
      case .rect(let rect), .ellipse(let rect), .rounded(let rect, _, _):
        "M\(rect.minX) \(rect.minY)h\(rect.width)v\(rect.height)h\(-rect.width)Z"
      }
    }.joined()
  }

  private static func css(_ color: CGColor?) -> String {
    guard let parts = color?.components else { return "none" }
    let whole = parts.prefix(3).map { "\(Int($0 * 255))" }.joined(separator: " ")
    return "rgb(\(whole) / \(parts[3]))"
  }

  private static let symbols = [
    "Cancel": "M6 6l12 12M18 6L6 18",
    "Done": "M5 13l4 4L19 7",
    "Reset": "M4 12a8 8 0 1 0 2.4-5.7M4 4v4.5h4.5",
    "Undo": "M9 6L4 11l5 5M4.5 11H14a6 6 0 0 1 6 6v1",
    "Redo": "M15 6l5 5-5 5M19.5 11H10a6 6 0 0 0-6 6v1",
    "Rotate": "M4 12a8 8 0 1 1 2.4 5.7M4 20v-4.5h4.5",
    "Flip horizontally": "M12 4v16M9 7v11H4zM15 7v11h5z",
    "Ratio": "M4 6h16v12H4zM8 10v4h4",
  ]
}

/// The crop screen, drawn from its layers.
struct ScreenPictureTests {
  private func screen(_ size: CGSize, _ insets: UIEdgeInsets) -> CropViewController {
    let screen = CropViewController(image: .blank(3000, 2000))
    screen.words = .english
    screen.loadViewIfNeeded()
    screen.view.traitCollection = UITraitCollection(userInterfaceStyle: .dark)
    screen.view.safeAreaInsets = insets
    screen.view.frame = CGRect(origin: .zero, size: size)
    for _ in 0..<3 { screen.view.layoutIfNeeded() }
    screen.cropView.execute(.reduceMotion(true))
    screen.cropView.execute(.tilt(CropAngle(degrees: -4), .once))
    screen.cropView.execute(.ratio(.fixed(.square)))
    for _ in 0..<3 { screen.view.layoutIfNeeded() }
    return screen
  }

  /// `CROPKIT_SCREENS` is the folder for the pictures; it contains their photo, `photo.jpg`.
  @Test(arguments: [
    (
      "upright", CGSize(width: 390, height: 844),
      UIEdgeInsets(top: 47, left: 0, bottom: 34, right: 0)
    ),
    (
      "aside", CGSize(width: 844, height: 390),
      UIEdgeInsets(top: 0, left: 47, bottom: 21, right: 47)
    ),
  ])
  func `photo, frame, bars and dial are drawn`(
    name: String, size: CGSize, insets: UIEdgeInsets
  ) async throws {
    let screen = screen(size, insets)
    var recorder = LayerRecorder(photo: "photo.jpg")
    // The preview is made outside the main actor.
    await settle {
      recorder = LayerRecorder(photo: "photo.jpg")
      recorder.record(screen.view)
      return recorder.text.contains("photo.jpg")
    }
    for word in ["-4.0°", "photo.jpg"] {
      #expect(recorder.text.contains(word))
    }
    #expect(recorder.text.matches(of: /M-?[0-9.]+ 24\.0L/).count >= 80, "a tick for each degree")
    let head =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(size.width)\" height=\"\(size.height)\">"
    if let folder = ProcessInfo.processInfo.environment["CROPKIT_SCREENS"] {
      try (head + recorder.text + "</svg>").write(
        toFile: "\(folder)/\(name).svg", atomically: true, encoding: .utf8)
    }
  }
}
