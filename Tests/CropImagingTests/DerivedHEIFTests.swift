import CropCore
import CropImaging
import Foundation
import TestMaterial
import Testing

@testable import CropFormats

/// A HEIF file whose main image, item 1, consists of others.
struct DerivedHEIF {
  var type = "grid"
  var layout: [UInt8] = Self.grid(columns: 2, rows: 1, width: 100, height: 60)
  /// The size that the main image's properties state.
  var stated = (100, 60)
  /// The types and sizes of the other items, from 2.
  var parts = [("av01", 64, 64), ("av01", 64, 64)]
  /// The lists of parts, each of a reference of its own.
  var lists = [[2, 3]]
  /// Boxes at the end of the `meta` box.
  var further: [UInt8] = []
  /// Whether the first part comes a second time in the list of items, as an overlay.
  var repeatsItem = false

  static func grid(columns: Int, rows: Int, width: Int, height: Int) -> [UInt8] {
    HandMade.all(
      [0, 0, UInt8(rows - 1), UInt8(columns - 1)], HandMade.big16(width), HandMade.big16(height))
  }

  /// An overlay on a canvas at the given offsets, as in the files that leaked.
  static func overlay(_ offsets: [(Int, Int)]) -> [UInt8] {
    let numbers = offsets.flatMap { [$0.0, $0.1] }.map { $0 & 0xFFFF }
    return [0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF] + HandMade.big16(1024) + HandMade.big16(1024)
      + numbers.flatMap(HandMade.big16)
  }

  var bytes: [UInt8] {
    let (big16, big32) = (HandMade.big16, HandMade.big32)
    func entry(_ number: Int, _ type: String) -> [UInt8] {
      HandMade.fullBox(
        "infe", version: 2, HandMade.all(big16(number), big16(0), HandMade.text(type), [0]))
    }
    var entries = entry(1, type)
    var sizes = [stated]
    for (index, part) in parts.enumerated() {
      entries += entry(index + 2, part.0)
      sizes.append((part.1, part.2))
    }
    if repeatsItem { entries += entry(2, "iovl") }
    let count = parts.count + 1
    let properties: [UInt8] = sizes.flatMap { HandMade.extents($0.0, $0.1) }
    let links = (1...count).flatMap { number -> [UInt8] in big16(number) + [1, UInt8(number)] }
    let references = lists.flatMap { list -> [UInt8] in
      HandMade.box("dimg", big16(1) + big16(list.count) + list.flatMap(big16))
    }
    let place = HandMade.all(
      big16(0x4400), big16(1), big16(1), big16(1), big16(0), big16(1), big32(0),
      big32(layout.count))
    let items = HandMade.all(
      HandMade.fullBox("pitm", big16(1)), HandMade.fullBox("iloc", version: 1, place),
      HandMade.fullBox("iinf", big16(count + (repeatsItem ? 1 : 0)) + entries),
      HandMade.box(
        "iprp",
        HandMade.all(
          HandMade.box("ipco", properties), HandMade.fullBox("ipma", big32(count) + links))),
      HandMade.fullBox("iref", references), HandMade.box("idat", layout), further)
    return HandMade.box("ftyp", HandMade.text("avif") + big32(0) + HandMade.text("avif"))
      + HandMade.fullBox("meta", items)
  }
}

@Suite struct `HEIF images that consist of others` {
  private func refusal(_ change: (inout DerivedHEIF) -> Void) -> CropError? {
    var file = DerivedHEIF()
    change(&file)
    return inspectionFailure(file.bytes)
  }

  @Test func `a grid whose tiles cover it is read`() throws {
    let info = try inspect(DerivedHEIF().bytes)
    #expect(info.format == .avif && info.stored == BitmapSize(width: 100, height: 60))
    #expect(
      refusal { $0.layout = DerivedHEIF.grid(columns: 1, rows: 2, width: 64, height: 128) } != nil)
    #expect(
      refusal {
        $0.layout = DerivedHEIF.grid(columns: 1, rows: 2, width: 64, height: 128)
        $0.stated = (64, 128)
      } == nil)
  }

  @Test(arguments: [[(-32768, -32768), (-1, -1)], [(-1, 0)], [(0, -1)], [(-300, 0)], [(0, 0)]])
  func `an overlay is refused wherever its parts lie`(offsets: [(Int, Int)]) {
    let error = refusal {
      $0.type = "iovl"
      $0.layout = DerivedHEIF.overlay(offsets)
      $0.stated = (1024, 1024)
      $0.parts = offsets.map { _ in ("av01", 512, 512) }
      $0.lists = [Array(2..<2 + offsets.count)]
    }
    #expect(error?.exitStatus == 69, "\(error?.description ?? "none")")
    #expect(error?.description.contains("overlays others") == true)
  }

  @Test func `an overlay is refused wherever it stands`() {
    #expect(refusal { $0.parts[1].0 = "iovl" }?.exitStatus == 69)
    #expect(
      refusal {
        $0.parts.append(("iovl", 1024, 1024))
      }?.exitStatus == 69)
    // A decoder may read the first of two entries, or the last.
    #expect(refusal { $0.repeatsItem = true }?.exitStatus == 65)
  }

  @Test(arguments: [(129, 60), (64, 60), (100, 65), (1, 60)])
  func `tiles that leave their grid or do not cover it are refused`(width: Int, height: Int) {
    let error = refusal {
      $0.layout = DerivedHEIF.grid(columns: 2, rows: 1, width: width, height: height)
      $0.stated = (width, height)
    }
    #expect(error?.exitStatus == 69, "\(error?.description ?? "none")")
  }

  @Test func `a grid of another size than its properties state is refused`() {
    #expect(refusal { $0.stated = (64, 60) }?.exitStatus == 69)
    #expect(refusal { $0.parts[1].1 = 65 }?.exitStatus == 69)
  }

  @Test func `a grid has as many tiles as it states`() {
    #expect(refusal { $0.lists = [[2]] }?.code == "corrupt")
    #expect(refusal { $0.lists = [[2, 3, 2]] }?.code == "corrupt")
    #expect(refusal { $0.lists = [[2, 3], [2, 3]] }?.code == "corrupt")
    #expect(refusal { $0.lists = [[2, 9]] }?.code == "corrupt")
    #expect(refusal { $0.layout = [0, 0, 0, 1] }?.code == "corrupt")
  }

  @Test func `an image does not consist of images that consist of others`() {
    #expect(refusal { $0.lists = [[2, 1]] } != nil)
    #expect(refusal { $0.parts[1].0 = "iden" }?.exitStatus ?? 0 >= 65)
    #expect(
      refusal {
        $0.parts = [("iden", 100, 60)]
        ($0.type, $0.lists) = ("iden", [[1]])
      }?.exitStatus ?? 0 >= 65)
  }

  @Test func `many tiles are allowed if they are not small`() {
    func refusal(side: Int, columns: Int) -> CropError? {
      self.refusal {
        $0.parts = [("av01", side, side)]
        $0.layout = DerivedHEIF.grid(
          columns: columns, rows: 1, width: side * columns, height: side)
        $0.stated = (side * columns, side)
        $0.lists = [[Int](repeating: 2, count: columns)]
      }
    }
    #expect(refusal(side: 64, columns: 200) == nil)
    #expect(refusal(side: 8, columns: 16) == nil)
    #expect(refusal(side: 8, columns: 17)?.exitStatus == 69)
  }

  @Test func `an image that is another one has its size`() {
    func refusal(_ width: Int) -> CropError? {
      self.refusal {
        ($0.type, $0.lists, $0.layout) = ("iden", [[2]], [])
        $0.parts = [("av01", 100, 60)]
        $0.stated = (width, 60)
      }
    }
    #expect(refusal(100) == nil)
    #expect(refusal(99)?.exitStatus == 69)
  }

  @Test func `what a file may state once is refused if it states it twice`() {
    for name in ["pitm", "iinf", "iloc", "iref", "iprp", "idat"] {
      let again = HandMade.fullBox(name, [UInt8](repeating: 0, count: 16))
      #expect(refusal { $0.further = again }?.code == "corrupt", "\(name)")
    }
    let file = DerivedHEIF().bytes
    let meta = Array(file[20...])
    #expect(inspectionFailure(file + meta)?.code == "corrupt")
  }

  @Test func `a view for a decoder refuses what the engine refuses`() {
    var file = DerivedHEIF()
    file.type = "iovl"
    let source = ImageSource(bytes: Data(file.bytes), name: "picture")
    #expect(
      failure { () throws(CropError) in _ = try HEIFView(source, page: 1) }?.exitStatus == 69)
  }
}
