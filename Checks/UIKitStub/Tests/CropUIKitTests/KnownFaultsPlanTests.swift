import CropCore
import Foundation
import Testing
import UIKit

@testable import CheckedCropUIKit

/// More faults that crop screens for iOS have had; `KnownFaults.md` lists all of them.
struct KnownFaultsPlanTests: ScreenPresenting {
  let presenter = UIViewController()

  private func heading(of screen: UIViewController) -> UILabel? {
    views(UILabel.self, in: screen.view).first { $0.accessibilityTraits == .header && !$0.isHidden }
  }

  @Test func `every row of the plan names a test that exists, or says why there is none`() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let plan = folder.appendingPathComponent("../../KnownFaults.md")
    let tests = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".swift") }
      .map { try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8) }
    let rows = try String(contentsOf: plan, encoding: .utf8).split(separator: "\n")
      .filter { $0.hasPrefix("| ") }.dropFirst()
    #expect(rows.count >= 25)
    for row in rows {
      let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      try #require(cells.count == 2, "\(row)")
      if cells[1].hasPrefix("Can’t occur: ") { continue }
      #expect(!cells[1].isEmpty)
      for name in cells[1].split(separator: "; ") {
        #expect(tests.contains { $0.contains("func `\(name)`") }, "\(name)")
      }
    }
  }

  // MARK: Turns

  @Test(arguments: [(4, 0), (-1, 3), (5, 1), (-4, 0), (1 << 40, 0)])
  func `any number of quarter rotations is one of four`(turns: Int, expected: Int) throws {
    let view = CropView()
    view.image = .blank(80, 60)
    view.recipe = CropRecipe(quarterTurns: turns)
    #expect(view.recipe?.quarterTurns == expected)
    view.execute(.turn(clockwise: true))
    view.execute(.turn(clockwise: false))
    view.execute(.turn(clockwise: false))
    #expect(view.recipe?.quarterTurns == (expected + 3) % 4)
  }

  @Test(arguments: [CropStyle.studio, .viewfinder])
  func `a restored crop stays the same part through four rotations, zoomed or not`(style: CropStyle)
    throws
  {
    let view = CropView(frame: CGRect(x: 0, y: 0, width: 400, height: 700))
    view.style = style
    view.image = .blank(800, 600)
    view.layoutIfNeeded()
    UIAccessibility.isReduceMotionEnabled = true
    defer { UIAccessibility.isReduceMotionEnabled = false }
    view.followSettings()
    for size in [600.0, 40] {
      let stored = CropRecipe(rect: rect(0, 0, size, size))
      view.recipe = stored
      for turn in 1...4 {
        view.execute(.turn(clockwise: true))
        let part = try #require(view.recipe?.rect)
        #expect(part.width == size && part.height == size)
        // The image covers the crop frame: nothing beside the image is selected.
        let limit = turn.isMultiple(of: 2) ? (800.0, 600.0) : (600, 800)
        #expect(part.x >= 0 && part.y >= 0 && part.maxX <= limit.0 && part.maxY <= limit.1)
      }
      #expect(view.recipe == stored)
    }
  }

  @Test func `an image of an extreme shape fills the crop frame, rotated too`() throws {
    let view = CropView(frame: CGRect(x: 0, y: 0, width: 400, height: 700))
    view.style = .viewfinder
    view.execute(.ratio(.fixed(.square)))
    view.image = .blank(4000, 20)
    view.layoutIfNeeded()
    for turn in 0..<4 {
      let part = try #require(view.recipe?.rect)
      #expect(part.width == 20 && part.height == 20, "after \(turn) turns")
      view.execute(.turn(clockwise: true))
    }
  }

  @Test func `a ratio has two terms`() {
    #expect(AspectRatio(0, 3) == nil && AspectRatio(3, 0) == nil && AspectRatio(-1, 1) == nil)
    #expect(AspectRatio(text: "0:3") == nil)
  }

  // MARK: The device

  @Test func `a rotated device keeps the crop, also at the edge of the image and zoomed in`() throws
  {
    let screen = CropViewController(image: .blank(800, 600))
    screen.recipe = CropRecipe(rect: rect(740, 560, 60, 40))
    show(screen)
    let recipe = screen.recipe
    for (width, height) in [(844.0, 390.0), (400, 800), (1024, 600), (320, 568)] {
      layOut(screen, width, height)
      #expect(screen.recipe == recipe)
      let frame = try #require(
        screen.cropView.session.elements.first { $0.key == .selection }.map { CGRect($0.frame) })
      let area = try #require(screen.cropView.layoutArea)
      #expect(area.insetBy(dx: -1, dy: -1).contains(frame), "inside the free area at \(width)")
    }
  }

  @Test func `the bars are in their place before the image is laid out`() {
    let screen = CropViewController(image: .blank(800, 600))
    show(screen)
    // As UIKit lays out while the device turns: once.
    screen.view.frame = CGRect(x: 0, y: 0, width: 844, height: 390)
    screen.view.layoutIfNeeded()
    let once = screen.cropView.layoutArea
    screen.view.setNeedsLayout()
    screen.view.layoutIfNeeded()
    #expect(screen.cropView.layoutArea == once)
  }

  @Test func `half a rotation of the device, which keeps the size, moves nothing`() {
    let view = CropView(frame: CGRect(x: 0, y: 0, width: 400, height: 700))
    view.image = .blank(800, 600)
    view.execute(.set(.width, 300))
    view.layoutIfNeeded()
    let scene = view.session.scene
    view.setNeedsLayout()
    view.layoutIfNeeded()
    #expect(view.session.scene == scene)
  }

  // MARK: The screen

  @Test func `Cancel and Done are there with a title and without`() throws {
    for title in [nil, "", "Profile photo"] {
      let screen = CropViewController(image: .blank(80, 60))
      screen.title = title
      show(screen)
      let names = views(UIButton.self, in: screen.view).map(\.accessibilityLabel)
      #expect(names.contains("Cancel") && names.contains("Done"))
      #expect((heading(of: screen) == nil) == (title?.isEmpty ?? true))
      screen.cancel()
    }
  }

  @Test func `a title is below the bar and clear of the device's corners, in both orientations`()
    throws
  {
    let screen = CropViewController(image: .blank(800, 600))
    screen.loadViewIfNeeded()
    screen.view.safeAreaInsets = UIEdgeInsets(top: 50, left: 0, bottom: 30, right: 0)
    show(screen)
    let untitled = try #require(screen.cropView.layoutArea)
    screen.title = "A title that takes two lines on a phone"
    layOut(screen, 400, 800)
    let label = try #require(heading(of: screen))
    // The bar ends at 98.
    #expect(
      label.frame == CGRect(x: 14, y: 102, width: 372, height: 22) && label.numberOfLines == 2)
    #expect(screen.cropView.layoutArea?.minY == 132)
    screen.view.safeAreaInsets = UIEdgeInsets(top: 0, left: 47, bottom: 21, right: 47)
    layOut(screen, 844, 390)
    #expect(label.frame.minY == 8 && label.frame.minX >= 47 + 8 + 44)
    #expect(screen.cropView.layoutArea?.minY == 38)
    screen.title = nil
    screen.view.safeAreaInsets = UIEdgeInsets(top: 50, left: 0, bottom: 30, right: 0)
    layOut(screen, 400, 800)
    #expect(screen.cropView.layoutArea == untitled && heading(of: screen) == nil)
  }

  @Test func `on a navigation controller, the title is only in its bar`() {
    let screen = CropViewController(image: .blank(80, 60))
    let navigation = UINavigationController(rootViewController: screen)
    screen.title = "Profile photo"
    screen.viewWillAppear(false)
    layOut(screen, 400, 800)
    #expect(heading(of: screen) == nil)
    withExtendedLifetime(navigation) {}
  }

  @Test func `on a wide screen, the question about Cancel points to its button`() throws {
    let screen = CropViewController(image: .blank(80, 60))
    show(screen)
    screen.cropView.execute(.turn(clockwise: true))
    screen.cancel()
    let question = try #require(screen.presentedViewController)
    let source = try #require(question.popoverPresentationController?.sourceView)
    #expect(source.accessibilityLabel == "Cancel")
  }

  @Test func `without Cancel among the tools, the question points to the screen`() throws {
    let screen = CropViewController(image: .blank(80, 60))
    screen.tools = [.done]
    show(screen)
    screen.cropView.execute(.turn(clockwise: true))
    screen.cancel()
    let source = screen.presentedViewController?.popoverPresentationController?.sourceView
    #expect(source === screen.view)
  }

  @Test func `grid lines are shown and hidden at once, before the screen appears and after`() {
    let screen = CropViewController(image: .blank(80, 60))
    screen.cropView.execute(.grid(.off))
    show(screen)
    func lines() -> Int {
      screen.cropView.session.scene.items.count {
        if case .line(_, _, _, .grid) = $0 { true } else { false }
      }
    }
    #expect(lines() == 0)
    screen.cropView.execute(.grid(.thirds))
    #expect(lines() == 4)
    screen.cropView.execute(.grid(.off))
    #expect(lines() == 0)
  }

  @Test func `a reset during the pause after a drag stays a reset`() {
    let view = CropView()
    view.image = .blank(800, 600)
    var hand = Hand(on: view)
    view.layoutIfNeeded()
    // The bottom right corner, to the middle of the image.
    hand.drag(814, 614, to: 414, 314)
    #expect(view.recipe?.rect?.width != 800)
    view.execute(.reset)
    hand.wait(3, for: view)
    #expect(view.recipe?.rect == rect(0, 0, 800, 600) && !view.session.wantsTicks)
  }

  @Test func `a locked ratio keeps the ratios that the app offers`() {
    let screen = CropViewController(image: .blank(80, 60))
    screen.ratioPresets = [CropRatioPreset(.fixed(3, 1))]
    screen.ratio = .fixed(16, 9)
    screen.isRatioLocked = true
    show(screen)
    #expect(screen.ratio == .fixed(16, 9))
    #expect(screen.ratioPresets == [CropRatioPreset(.fixed(3, 1))])
    #expect(!views(UIButton.self, in: screen.view).contains { $0.accessibilityLabel == "Ratio" })
  }
}
