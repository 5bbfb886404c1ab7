import CropCore
import Testing

/// The files written next to those of a photo's targets. `Tests/Peers` and `Tests/Browser` test
/// what they do.
struct TargetExportTests {
  private let image = ImageSize(width: 600, height: 400)

  /// Targets of the image, by their names.
  private func entries(
    _ ratios: KeyValuePairs<String, String>, focus: FocusBox? = nil, tilt: Double = 0
  ) throws -> [TargetExport.Entry] {
    let document = TargetDocument(picture: .init(tilt: CropAngle(degrees: tilt)), focus: focus)
    return try ratios.map { name, text in
      let ratio = try #require(AspectRatio(text: text))
      let target = PhotoTarget(name: name, requirement: .ratio(ratio))
      let crop = try document.crop(of: target, on: image).recipe.resolved(for: image)
      return TargetExport.Entry(
        name: name, crop: crop, focus: focus, file: "a \(name).jpg", size: crop.output)
    }
  }

  // √(2/3 · 1) = 0.816 and √(1 · 3/2) = 1.225.
  @Test func `a picture shows the target nearest to the window's ratio`() throws {
    let text = try TargetExport.html.text(
      for: entries(["wide": "3:2", "square": "1:1", "high": "2:3"]), of: "a.jpg")
    #expect(
      text == """
        <!-- HTML Living Standard -->
        <picture>
          <source media="(max-aspect-ratio: 816/1000)" srcset="a%20high.jpg 266w" sizes="100vw" \
        width="266" height="399" />
          <source media="(max-aspect-ratio: 1225/1000)" srcset="a%20square.jpg 400w" sizes="100vw" \
        width="400" height="400" />
          <img src="a%20wide.jpg" srcset="a%20wide.jpg 600w" sizes="100vw" width="600" height="400" \
        alt="" />
        </picture>

        """)
  }

  @Test func `targets of one ratio are sizes of one image`() throws {
    let (small, large) = (try entries(["s": "3:2"])[0], try entries(["l": "3:2"])[0])
    let half = TargetExport.Entry(
      name: "s", crop: small.crop, focus: nil, file: "s.jpg",
      size: FrameSize(width: 300, height: 200))
    let text = try TargetExport.html.text(for: [large, half], of: "a.jpg")
    #expect(text.contains("srcset=\"s.jpg 300w, a%20l.jpg 600w\""))
    #expect(!text.contains("<source"))
  }

  // A square of 400 about 0.4 × 600 starts at 40, of the 200 remaining.
  @Test func `a rule of CSS shows the whole photo cut like the target`() throws {
    let text = try TargetExport.objectPosition.text(
      for: entries(["1st": "1:1"], focus: FocusBox(x: 0.4, y: 0.9)), of: "a.jpg")
    #expect(
      text == """
        /* CSS Images Level 3 */
        img.\\31 st {
          aspect-ratio: 400 / 400;
          object-fit: cover;
          object-position: 20% 50%;
        }

        """)
  }

  @Test func `a crop that is not a largest part has no CSS rule`() throws {
    let recipe = CropRecipe(rect: FrameRect(x: 0, y: 0, width: 100, height: 100))
    let crop = try recipe.resolved(for: image)
    let entry = TargetExport.Entry(name: "a", crop: crop, focus: nil, file: "a", size: crop.output)
    #expect(throws: CropExporterError.self) {
      try TargetExport.objectPosition.text(for: [entry], of: "a.jpg")
    }
  }

  @Test(arguments: [TargetExport.objectPosition, .sanity, .typo3])
  func `a tilt is refused`(export: TargetExport) throws {
    let tilted = try entries(["a": "1:1"], tilt: 3)
    #expect(throws: CropExporterError.self) { try export.text(for: tilted, of: "a.jpg") }
  }

  // The square is 400 pixels from 40; the focus is 60 × 80 pixels from 240, 200.
  @Test func `systems have the focus too`() throws {
    let entries = try entries(
      ["q\"": "1:1"], focus: FocusBox(x: 0.35, y: 0.5, width: 0.1, height: 0.2))
    #expect(
      try TargetExport.sanity.text(for: entries, of: "a.jpg") == """
        {
          "follows": "Sanity Studio 3 with @sanity/image-url 1",
          "images": {
            "q\\"": {"_type": "image", "crop": {"_type": "sanity.imageCrop", "top": 0, "bottom": 0, \
        "left": 0.066667, "right": 0.266667}, "hotspot": {"_type": "sanity.imageHotspot", "x": 0.4, \
        "y": 0.6, "height": 0.2, "width": 0.1}}
          }
        }

        """)
    #expect(
      try TargetExport.typo3.text(for: entries, of: "a.jpg") == """
        {
          "follows": "TYPO3 13, a variant of sys_file_reference.crop",
          "cropVariants": {
            "q\\"": {"cropArea": {"x": 0.066667, "y": 0, "width": 0.666667, "height": 1}, \
        "selectedRatio": "1:1", "focusArea": {"x": 0.425, "y": 0.5, "width": 0.15, "height": 0.2}}
          }
        }

        """)
  }
}
