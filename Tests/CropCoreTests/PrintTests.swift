import TestMaterial
import Testing

@testable import CropCore

struct PrintTests {
  private func size(_ text: String) throws -> PrintSize { try #require(PrintSize(text: text)) }

  private func length(_ text: String) throws -> PrintLength {
    try #require(PrintLength(text: text))
  }

  @Test(arguments: [
    // 35 / 25.4 × 300 = 413.39, 45 / 25.4 × 300 = 531.50 (531.496).
    ("35x45mm", 300, 7, 9, 413, 531), ("35x45mm", 600, 7, 9, 827, 1063),
    ("2x2in", 300, 1, 1, 600, 600), ("4x6in", 300, 2, 3, 1200, 1800),
    ("10x15cm", 300, 2, 3, 1181, 1772), ("50x70mm", 300, 5, 7, 591, 827),
    ("8.5x11in", 300, 17, 22, 2550, 3300), ("210x297mm", 300, 70, 99, 2480, 3508),
    ("33x48mm", 600, 11, 16, 780, 1134), ("1x1mm", 1, 1, 1, 1, 1),
  ])
  func `the ratio is exact, and pixels are rounded`(
    text: String, dpi: Int, width: Int, height: Int, across: Int, down: Int
  ) throws {
    let print = CropPrint(try size(text), dpi: dpi)
    #expect(print.whole.ratio == AspectRatio(width, height))
    #expect(print.pixels == FrameSize(width: across, height: down))
    #expect(print.size.text == text)
  }

  @Test func `a bleed is added to every side`() throws {
    // 85 × 55 mm with 3 mm are 91 × 61 mm.
    let print = CropPrint(try size("85x55mm"), bleed: try length("3mm"))
    #expect(print.whole == (try size("91x61mm")))
    #expect(print.whole.ratio == AspectRatio(91, 61))
    #expect(print.pixels == FrameSize(width: 1075, height: 720))
    let inches = CropPrint(try size("4x6in"), bleed: try length("0.125in"))
    #expect(inches.whole.text == "4.25x6.25in")
    #expect(try length("0.125in").text == "0.125in")
  }

  @Test func `a crop is scaled down, and never up unless that is asked for`() throws {
    let print = CropPrint(try size("35x45mm"))
    let large = print.fit(FrameSize(width: 700, height: 900))
    #expect(large.size == FrameSize(width: 413, height: 531))
    #expect(large.density == PixelDensity(dpi: 300))
    #expect(!large.isShort)
    let small = print.fit(FrameSize(width: 301, height: 387))
    #expect(small.size == FrameSize(width: 301, height: 387))
    #expect(small.isShort)
    // 301 pixels on 35 mm.
    #expect(abs(small.density.across - 301 * 25.4 / 35) < 1e-9)
    let enlarged = print.fit(FrameSize(width: 301, height: 387), enlarges: true)
    #expect(enlarged.size == FrameSize(width: 413, height: 531))
    #expect(enlarged.density == PixelDensity(dpi: 300))
    #expect(enlarged.isShort)
    // The largest 2:3 in 1181 × 1772 pixels, 299.7 dpi.
    let rounded = CropPrint(try size("10x15cm")).fit(FrameSize(width: 1180, height: 1770))
    #expect(!rounded.isShort)
    #expect(rounded.size == FrameSize(width: 1180, height: 1770))
  }

  @Test func `ten thousand sizes keep their ratio, their density and their pixels`() throws {
    var random = Seeded(seed: 0x0560_0001)
    for _ in 0..<10_000 {
      let unit = random.element([PrintUnit.millimeter, .centimeter, .inch])
      let most = unit == .millimeter ? 400.0 : unit == .centimeter ? 40 : 16
      // Whole numbers, tenths and thousandths.
      let step = random.element([1.0, 10, 1000])
      func side() -> PrintLength? {
        PrintLength(Double(random.int(1...Int(most * step))) / step, unit)
      }
      let size = PrintSize(width: try #require(side()), height: try #require(side()))
      let bleed = random.chance(0.3) ? PrintLength(Double(random.int(1...9)), .millimeter) : nil
      let dpi = random.element([72, 150, 240, 254, 300, 360, 600, 1200, random.int(1...2400)])
      let print = CropPrint(size, bleed: bleed, dpi: dpi)
      try #require(PrintSize(text: size.text) == size, "\(random.comment)")
      let (width, height) = (print.whole.width.tenThousandths, print.whole.height.tenThousandths)
      let ratio = print.whole.ratio
      try #require(ratio.width * height == ratio.height * width, "\(random.comment)")
      // Half a pixel is 127,000 of 254,000 ten-thousandths of a millimeter, times the density.
      let pixels = print.pixels
      for (count, length) in [(pixels.width, width), (pixels.height, height)] {
        let error = abs(count * 254_000 - length * dpi)
        try #require(
          error <= 127_000 || (count == 1 && length * dpi < 254_000), "\(random.comment)")
      }
      // Any image: the largest area of the ratio, then its print.
      let image = ImageSize(width: random.int(20...5000), height: random.int(20...5000))
      var description = CropDescription()
      description.area = .ratio(ratio, .center)
      description.print = print
      let recipe = try description.recipe(for: image, jpeg: nil).recipe
      let (sized, fit) = print.sized(recipe, on: image)
      try #require(sized == recipe, "\(random.comment)")
      guard let fit, let crop = try? recipe.resolved(for: image) else {
        // An area of a few pixels can't have an extreme ratio.
        try #require(
          max(ratio.value, 1 / ratio.value) * 8 > Double(min(image.width, image.height)),
          "\(size.text) of \(image); \(random.comment)")
        continue
      }
      try #require(crop.output == fit.size, "\(random.comment)")
      try #require(
        crop.output.width <= crop.rectSize.width && crop.output.height <= crop.rectSize.height,
        "\(random.comment)")
      if crop.rectSize.width >= pixels.width, crop.rectSize.height >= pixels.height {
        try #require(crop.output == pixels && !fit.isShort, "\(random.comment)")
        try #require(fit.density == PixelDensity(dpi: dpi), "\(random.comment)")
      } else {
        // The density is what gives the pixels the print's size.
        try #require(crop.output == crop.rectSize, "\(random.comment)")
        try #require(
          abs(fit.density.across * print.whole.width.inches - Double(crop.output.width)) < 1e-6,
          "\(random.comment)")
        try #require(
          fit.isShort == (min(fit.density.across, fit.density.down).rounded() < Double(dpi)),
          "\(random.comment)")
      }
    }
  }

  @Test func `a crop of another ratio is refused`() throws {
    let image = ImageSize(width: 4000, height: 3000)
    let print = CropPrint(try size("35x45mm"))
    let square = CropRecipe(rect: FrameRect(x: 0, y: 0, width: 2000, height: 2000))
    let (recipe, fit) = print.sized(square, on: image)
    #expect(fit == nil)
    #expect(throws: RecipeError.self) { try recipe.resolved(for: image) }
    // Also if it has too few pixels.
    let small = CropRecipe(rect: FrameRect(x: 0, y: 0, width: 90, height: 90))
    #expect(throws: RecipeError.self) {
      try print.sized(small, on: image).recipe.resolved(for: image)
    }
  }

  @Test func `the area between four corners gets the ratio`() throws {
    let image = ImageSize(width: 4000, height: 3000)
    let quad = try #require(
      Quad(
        [100, 100, 1100, 120, 1080, 900, 90, 880].map { CropLength.pixels($0) },
        on: FrameSize(width: 4000, height: 3000)))
    let print = CropPrint(try size("148x105mm"))
    let (recipe, fit) = print.sized(CropRecipe(quad: quad), on: image)
    // Sides are at least as long as the edges: 1001 across, 981 would need 1383 across.
    let output = try recipe.resolved(for: image).output
    #expect(output == fit?.size)
    #expect(abs(Double(output.width) / Double(output.height) - 148.0 / 105) < 0.002)
    #expect(fit?.isShort == true)
  }

  @Test func `targets with a size on paper have its pixels`() throws {
    var target = PhotoTarget(
      name: "pass", requirement: .print(CropPrint(try size("35x45mm"), dpi: 600)))
    let image = ImageSize(width: 3000, height: 2000)
    let document = TargetDocument(targets: [target])
    let crop = try document.crop(of: target, on: image)
    #expect(crop.recipe.output == .exact(width: 827, height: 1063))
    #expect(crop.recipe.rect?.width == 1554)
    let small = try document.crop(of: target, on: ImageSize(width: 300, height: 300))
    #expect(small.recipe.output == nil)
    let enlarged = try document.crop(
      of: target, on: ImageSize(width: 300, height: 300), enlarges: true)
    #expect(enlarged.recipe.output == .exact(width: 827, height: 1063))
    target.requirement = .print(CropPrint(try size("35x45mm")))
    let printing = TargetDocument(targets: [target]).printing(dpi: 100, bleed: try length("1cm"))
    #expect(printing.targets[0].print?.pixels == FrameSize(width: 217, height: 256))
  }
}

struct PrintSheetTests {
  private func sheet(
    _ paper: String, _ print: String, bleed: String? = nil, dpi: Int = 300
  ) throws -> PrintSheet {
    let print = CropPrint(
      try #require(PrintSize(text: print)), bleed: bleed.flatMap { PrintLength(text: $0) },
      dpi: dpi)
    return try PrintSheet(
      try #require(PrintSize(paper: paper)), of: print, print.pixels, PixelDensity(dpi: dpi))
  }

  @Test(arguments: [
    // Turned: 150 / 35 = 4.3, 100 / 45 = 2.2; upright it would be 2 × 3.
    ("10x15cm", "35x45mm", 4, 2, 1772, 1181), ("10x15cm", "2x2in", 1, 2, 1181, 1772),
    // Exactly full.
    ("4x6in", "2x2in", 2, 3, 1200, 1800), ("a4", "35x45mm", 6, 6, 2480, 3508),
    ("10x15cm", "50x70mm", 2, 2, 1181, 1772), ("letter", "35x45mm", 6, 6, 2550, 3300),
    ("35x45mm", "35x45mm", 1, 1, 413, 531),
  ])
  func `as many prints as fit are on the sheet`(
    paper: String, print: String, columns: Int, rows: Int, width: Int, height: Int
  ) throws {
    let sheet = try sheet(paper, print)
    #expect([sheet.columns, sheet.rows] == [columns, rows])
    #expect(sheet.size == FrameSize(width: width, height: height))
    #expect(sheet.block.x + sheet.block.width <= width)
    #expect(abs(sheet.block.x * 2 + sheet.block.width - width) <= 1)
    #expect(abs(sheet.block.y * 2 + sheet.block.height - height) <= 1)
  }

  @Test func `marks are in the margins, at every cut`() throws {
    let sheet = try sheet("10x15cm", "35x45mm")
    // 4 × 413 of 1772, 2 × 531 of 1181.
    #expect(sheet.block == PixelRect(x: 60, y: 59, width: 1652, height: 1062))
    let vertical = sheet.marks.filter { $0.width == 1 }
    let horizontal = sheet.marks.filter { $0.height == 1 }
    #expect(Set(vertical.map(\.x)) == [60, 473, 886, 1299, 1712])
    #expect(Set(horizontal.map(\.y)) == [59, 590, 1121])
    #expect(vertical.count == 10 && horizontal.count == 6)
    // A millimeter, 12 pixels, is free beside the prints.
    for mark in vertical { #expect(mark.y + mark.height <= 47 || mark.y >= 1133) }
    for mark in horizontal { #expect(mark.x + mark.width <= 48 || mark.x >= 1724) }
    for mark in sheet.marks {
      #expect(mark.x >= 0 && mark.x + mark.width <= 1772)
      #expect(mark.y >= 0 && mark.y + mark.height <= 1181)
    }
  }

  @Test func `without margins, lines between the prints are drawn`() throws {
    let sheet = try sheet("4x6in", "2x2in")
    #expect(
      Set(sheet.marks) == [
        PixelRect(x: 600, y: 0, width: 1, height: 1800),
        PixelRect(x: 0, y: 600, width: 1200, height: 1),
        PixelRect(x: 0, y: 1200, width: 1200, height: 1),
      ])
  }

  @Test func `with a bleed, each print is cut on its own`() throws {
    let sheet = try sheet("10x15cm", "35x45mm", bleed: "3mm")
    // 41 × 51 mm: 3 × 1 turned, 2 × 2 upright; 3 mm are 35 pixels.
    #expect([sheet.columns, sheet.rows] == [2, 2])
    let lines = Set(sheet.marks.filter { $0.width == 1 }.map { $0.x - sheet.block.x })
    #expect(lines == [35, 449, 519, 933])
  }

  @Test func `a sheet that is too small or would hold too many is refused`() {
    #expect(throws: PrintSheet.Fault.tooSmall) { try sheet("35x44mm", "35x45mm") }
    #expect(throws: PrintSheet.Fault.tooMany) { try sheet("10000x10000mm", "1x1mm", dpi: 1) }
    #expect(throws: PrintSheet.Fault.tooMany) { try sheet("10000x1mm", "1x1mm", dpi: 65_535) }
  }

  @Test func `any sheet of any print has its marks and prints inside`() throws {
    var random = Seeded(seed: 0x0560_0002)
    for _ in 0..<2000 {
      func size(_ range: ClosedRange<Int>) -> PrintSize? {
        PrintLength(Double(random.int(range)) / 10, .millimeter).flatMap { width in
          PrintLength(Double(random.int(range)) / 10, .millimeter).map {
            PrintSize(width: width, height: $0)
          }
        }
      }
      let bleed = random.chance(0.3) ? PrintLength(Double(random.int(1...5)), .millimeter) : nil
      let print = CropPrint(
        try #require(size(50...900)), bleed: bleed, dpi: random.element([72, 300, 600]))
      let paper = try #require(size(400...3000))
      let density = PixelDensity(
        across: print.density * random.double(0.5...1), down: print.density)
      let tile = FrameSize(
        width: max(1, Int((print.whole.width.inches * density.across).rounded())),
        height: print.pixels.height)
      guard let sheet = try? PrintSheet(paper, of: print, tile, density) else { continue }
      for part in sheet.marks + [sheet.block] {
        try #require(
          part.x >= 0 && part.y >= 0 && part.width > 0 && part.height > 0
            && part.x + part.width <= sheet.size.width
            && part.y + part.height <= sheet.size.height, "\(random.comment)")
      }
      // At most the rounding of each print is cut off.
      try #require(
        sheet.columns * tile.width - sheet.block.width <= sheet.columns, "\(random.comment)")
      try #require(
        sheet.rows * tile.height - sheet.block.height <= sheet.rows, "\(random.comment)")
      // Not one more fits.
      let pitch = print.whole
      let isUpright =
        sheet.columns == paper.width.tenThousandths / pitch.width.tenThousandths
        && sheet.rows == paper.height.tenThousandths / pitch.height.tenThousandths
      let isTurned =
        sheet.columns == paper.height.tenThousandths / pitch.width.tenThousandths
        && sheet.rows == paper.width.tenThousandths / pitch.height.tenThousandths
      try #require(isUpright || isTurned, "\(random.comment)")
    }
  }
}
