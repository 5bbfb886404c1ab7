import CropCore
import CropImaging
import Foundation
import TestMaterial
import Testing

/// Sidecars of other programs: the fuzzing corpus, and seeded changes of it.
@Suite struct `Sidecars of strangers` {
  private static let files: [(name: String, bytes: Data)] = Repository.corpus("Sidecars")
    .compactMap { file in
      (try? Data(contentsOf: file)).map { (file.lastPathComponent, $0) }
    }

  private static let info = ImageInfo(
    format: .jpeg, byteCount: 1, stored: BitmapSize(width: 900, height: 600))

  private func mark(_ name: String) throws -> CropMark {
    let file = try #require(Self.files.first { $0.name == name })
    return try CropMark(sidecar: ImageSource(bytes: file.bytes, name: name), Self.info)
  }

  @Test func `have their programs' crops, in numbers worked out by hand`() throws {
    #expect(
      try mark("rawtherapee.pp3").recipe
        == CropRecipe(
          rect: FrameRect(x: 10, y: 20, width: 300, height: 200), quarterTurns: 3,
          isMirrored: true, tilt: CropAngle(degrees: -1.5)))
    let photos = try mark("photos.aae")
    #expect(photos.program == .applePhotos)
    #expect(photos.recipe == CropRecipe(rect: FrameRect(x: 12, y: 34, width: 400, height: 300)))
    #expect(
      try mark("elements.xmp").recipe
        == CropRecipe(rect: FrameRect(x: 0, y: 0, width: 450, height: 300)))
    // The sidecar turns the photo, whose own EXIF doesn't: x 0.6 · 900 · cos − 0.6 · 600 · sin = 517 across.
    let lightroom = try mark("lightroom.xmp")
    #expect(lightroom.program == .lightroom)
    #expect(lightroom.recipe.quarterTurns == 1 && lightroom.recipe.tilt.degrees == 3.5)
    #expect(lightroom.recipe.rect?.height == 517 && lightroom.recipe.rect?.width == 392)
  }

  private func immich(_ edits: String, _ info: ImageInfo = Self.info) throws -> CropRecipe {
    let json = Data(#"{"assetId": "a", "edits": [\#(edits)]}"#.utf8)
    let mark = try CropMark(sidecar: ImageSource(bytes: json, name: "immich.json"), info)
    #expect(mark.program == .immich)
    return mark.recipe
  }

  @Test func `of Immich crop the upright picture, then mirror and turn it`() throws {
    let crop =
      #"{"action": "crop", "parameters": {"x": 10, "y": 20, "width": 300, "height": 200}}"#
    let mirror = #"{"action": "mirror", "parameters": {"axis": "horizontal"}}"#
    let flip = #"{"id": "b", "action": "mirror", "parameters": {"axis": "vertical"}}"#
    let turn = #"{"action": "rotate", "parameters": {"angle": 90}}"#
    #expect(try immich(crop) == CropRecipe(rect: FrameRect(x: 10, y: 20, width: 300, height: 200)))
    // Column x of the turned frame is row 599 − x, its row y column y.
    #expect(
      try immich("\(crop), \(turn)")
        == CropRecipe(rect: FrameRect(x: 380, y: 10, width: 200, height: 300), quarterTurns: 1))
    // 90° and then a mirror equals the mirror and then 270°: column x is row x, row y is column 899
    // − y, mirrored back.
    #expect(
      try immich("\(crop), \(turn), \(mirror)")
        == CropRecipe(
          rect: FrameRect(x: 20, y: 10, width: 200, height: 300), quarterTurns: 3,
          isMirrored: true))
    #expect(try immich("\(mirror), \(flip)").orientation == .down)
    for (edits, code) in [
      ("", "invalid-recipe"), ("\(turn), \(crop)", "invalid-recipe"),
      (#"{"action": "rotate", "parameters": {"angle": 45}}"#, "invalid-recipe"),
      (#"{"action": "blur", "parameters": {}}"#, "invalid-recipe"),
      (crop.replacing("300", with: "891"), "invalid-recipe"),
      (crop.replacing("300", with: "9007199254740991"), "corrupt"),
      (crop.replacing("300", with: "0"), "corrupt"),
      (mirror.replacing("horizontal", with: "both"), "corrupt"),
    ] {
      let error = #expect(throws: CropError.self) { try immich(edits) }
      #expect(error?.code == code, "\(edits)")
    }
    // One letter with many accents.
    let long = "a" + String(repeating: "\u{301}", count: 1000)
    let edit = "{\"action\": \"\(long)\", \"parameters\": {}}"
    let error = #expect(throws: CropError.self) { try immich(edit) }
    #expect(error.map { $0.description.utf8.count < 200 } == true)
  }

  @Test func `of Immich are read as they were written, whatever is cropped`() throws {
    var random = Seeded(seed: Soak.seed(of: "immich"))
    let exporter = try #require(CropExporter(name: "immich"))
    for orientation in Orientation.allCases {
      for _ in 0..<Thorough.count(1250) * Soak.factor {
        let stored = BitmapSize(
          width: .random(in: 1...4000, using: &random),
          height: .random(in: 1...4000, using: &random))
        let info = ImageInfo(
          format: .jpeg, byteCount: 1, stored: stored, orientation: orientation)
        var recipe = CropRecipe(
          quarterTurns: .random(in: 0...3, using: &random), isMirrored: .random(using: &random))
        let frame = OrientationMap<ImageSpace, FrameSpace>(
          recipe.orientation, of: info.shown
        ).target
        let (x, y) = (
          Int.random(in: 0..<frame.width, using: &random),
          Int.random(in: 0..<frame.height, using: &random)
        )
        recipe.rect = FrameRect(
          x: Double(x), y: Double(y),
          width: Double(Int.random(in: 1...frame.width - x, using: &random)),
          height: Double(Int.random(in: 1...frame.height - y, using: &random)))
        let crop = try recipe.resolved(for: info.shown)
        let text = try exporter.text(for: crop, stored: orientation)
        guard text != #"{"edits": []}"# else { continue }
        let source = ImageSource(bytes: Data(text.utf8), name: "immich.json")
        let back = try CropMark(sidecar: source, info).recipe
        #expect(try back.resolved(for: info.shown) == crop, "\(info) \(recipe) \(text)")
      }
    }
  }

  @Test func `without a crop are reported`() {
    do {
      _ = try mark("darktable.xmp")
      Issue.record("there is none")
    } catch {
      #expect((error as? CropError)?.code == "invalid-recipe")
    }
  }

  @Test(
    arguments: [
      ("photoshop:SidecarForExtension=\"CR2\"", true),
      ("photoshop:SidecarForExtension=\"JPG\" crs:RawFileName=\"a.CR2\"", false),
      ("crs:RawFileName=\"a.NEF\"", true), ("crs:RawFileName=\"b.jpeg\"", false), ("", false),
    ])
  func `of the raw file beside a photo are neither changed nor read`(
    owner: String, isRefused: Bool
  ) throws {
    let packet = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
       xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
       xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/"
       xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" \(owner) crs:HasCrop="True"
       crs:CropTop="0" crs:CropLeft="0" crs:CropBottom="0.5" crs:CropRight="0.5"/>
      </rdf:RDF></x:xmpmeta>
      """
    let old = Data(packet.utf8)
    let recipe = CropRecipe(rect: FrameRect(x: 30, y: 40, width: 500, height: 60))
    for photo in ["folder.cr2/a.jpg", "a.JPEG"] {
      let made = Result {
        try MarkFormat.lightroom.file(
          with: recipe, for: Self.info, changing: old, name: "a.xmp", of: photo)
      }
      let read = Result {
        try CropMark(sidecar: ImageSource(bytes: old, name: "a.xmp"), Self.info, of: photo)
          .program
      }
      guard isRefused else {
        #expect(throws: Never.self) { try (made.get(), read.get()) }
        continue
      }
      for error in [
        #expect(throws: CropError.self) { try made.get() },
        #expect(throws: CropError.self) { try read.get() },
      ] {
        #expect(
          error?.code == "invalid-recipe" && error?.description.contains("belongs to") == true)
      }
    }
  }

  @Test func `of RawTherapee get no crop if they distort the image`() throws {
    let recipe = CropRecipe(rect: FrameRect(x: 30, y: 40, width: 500, height: 60))
    for (settings, refused) in [
      ("[Distortion]\nAmount=0\n", nil), ("[Distortion]\nAmount=0.1\n", "[Distortion] Amount"),
      ("[LensProfile]\nLcMode=none\nUseDistortion=true\n", nil),
      ("[LensProfile]\nLcMode=lensfunauto\nUseDistortion=false\n", nil),
      ("[LensProfile]\nLcMode=lensfunauto\n", "[LensProfile] LcMode"),
    ] {
      let old = Data(settings.utf8)
      let made = Result {
        try MarkFormat.rawtherapee.file(
          with: recipe, for: Self.info, changing: old, name: "a.pp3")
      }
      if let refused {
        let error = #expect(throws: CropError.self) { try made.get() }
        #expect(error?.description.contains(refused) == true)
      } else {
        #expect(try made.get().starts(with: old))
      }
    }
  }

  /// A JPEG whose XMP has no padding, with a table of images before or after it.
  private func picture(hasTableFirst: Bool) -> Data {
    let packet = """
      http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
      xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"></rdf:RDF></x:xmpmeta>
      """
    let parts = [
      HandMade.segment(0xE2, HandMade.text("MPF\0MM\0*")),
      HandMade.segment(0xE1, HandMade.text(packet)),
    ]
    return Data(HandMade.jpeg((hasTableFirst ? parts : parts.reversed()).flatMap { $0 }))
  }

  @Test func `in a photo move no gain map away from its table`() throws {
    let recipe = CropRecipe(rect: FrameRect(x: 30, y: 40, width: 500, height: 60))
    var info = Self.info
    info.metadata = [.xmp, .gainMap]
    for isFirst in [false, true] {
      let made = Result {
        try MarkFormat.embedded.file(
          with: recipe, for: info, changing: picture(hasTableFirst: isFirst), name: "a.jpg")
      }
      if isFirst {
        let error = #expect(throws: CropError.self) { try made.get() }
        #expect(error?.description.contains("use a sidecar") == true)
      } else {
        #expect(try made.get().range(of: Data("crs:CropTop".utf8)) != nil)
      }
    }
  }

  @Test func `are one clear error each if they are damaged`() {
    #expect(Self.files.count == 5)
    var random = Seeded(seed: Soak.seed(of: "sidecars"))
    var refused = 0
    for _ in 0..<Thorough.count(400) * Soak.factor {
      for file in Self.files {
        let bytes = damaged(Array(file.bytes), &random)
        do throws(CropError) {
          let found = try CropMark(
            sidecar: ImageSource(bytes: Data(bytes), name: "a.xmp"), Self.info)
          // An accepted crop can be applied.
          if !found.isApplied, (try? found.recipe.resolved(for: Self.info.shown)) == nil {
            Issue.record("\(random.comment): \(found.recipe)")
          }
        } catch {
          refused += 1
          #expect(error.description.hasPrefix("a.xmp: ") && !error.description.contains("\n"))
        }
        write(into: Data(bytes), random.comment)
      }
    }
    #expect(refused > 100)
  }

  /// If a crop can be written to a sidecar, reading returns it.
  private func write(into old: Data, _ comment: String) {
    let recipe = CropRecipe(rect: FrameRect(x: 30, y: 40, width: 500, height: 60))
    for format in [MarkFormat.lightroom, .rawtherapee, .darktable] {
      guard
        let new = try? format.file(with: recipe, for: Self.info, changing: old, name: "a.xmp")
      else { continue }
      guard format != .darktable else {
        #expect(new.range(of: Data("clipping".utf8)) != nil)
        continue
      }
      let read = try? CropMark(sidecar: ImageSource(bytes: new, name: "a.xmp"), Self.info)
      // A pp3 may have other settings that distort the image.
      if let read { #expect(read.recipe.rect?.size == recipe.rect?.size, "\(comment)") }
    }
  }

  private static let telling: [String] = [
    "<", ">", "\"", "&lt;", "\0", "1e99", "-", "nan", "]", "[", "<!ENTITY", "<a>", "</a>", "crs:",
    "True", "0x1", "\u{FEFF}", "99999999999999999999", "=", "\n",
  ]

  /// Changes a few bytes; sometimes also removes, repeats or cuts off a part.
  private func damaged(_ original: [UInt8], _ random: inout Seeded) -> [UInt8] {
    var bytes = original
    for _ in 0..<random.int(1...4) where !bytes.isEmpty {
      let place = random.int(0...(bytes.count - 1))
      let end = min(bytes.count, place + random.int(0...12))
      switch random.int(0...4) {
      case 0: bytes[place] = UInt8(random.int(0...255))
      case 1: bytes.removeSubrange(place..<end)
      case 2: bytes.insert(contentsOf: bytes[place..<end], at: place)
      case 3: bytes.replaceSubrange(place..<end, with: random.element(Self.telling).utf8)
      default: if random.chance(0.2) { bytes.removeSubrange(place...) }
      }
    }
    return bytes
  }
}

extension FrameRect {
  fileprivate var size: [Double] { [width, height] }
}
