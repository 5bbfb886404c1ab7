import CVips
import CropCore
import CropImaging
import FoundationEssentials

/// The frames of an animated PNG, each as a separate PNG, since libvips only reads still ones.
struct APNGFrames {
  /// A frame and how it is combined with the previous ones.
  struct Frame {
    let rect: BitmapRect
    /// What happens to the frame's area afterwards: 0 unchanged, 1 cleared, 2 restored.
    let disposal: Int
    /// Whether it is blended over the canvas, instead of replacing its area.
    let isBlended: Bool
    let delay: FrameDelay
    /// The ranges of its data in the file, in order.
    fileprivate(set) var data: [Range<Int>] = []
  }

  private(set) var frames: [Frame] = []
  /// Whether the image that programs without support for animations show is the first frame.
  private(set) var startsWithStill = false
  let canvas: BitmapSize
  /// The chunks before the data that every frame needs, except for the header.
  private var common = Data()
  private var header: [UInt8] = []
  private let source: ImageSource

  /// Finds the frames of `source`, whose structure was checked.
  init(_ source: ImageSource, canvas: BitmapSize) throws(CropError) {
    self.source = source
    self.canvas = canvas
    var bytes = ByteWindow(source)
    var place = 8
    var isBeforeData = true
    while bytes.has(place + 8) {
      let length = bytes.big(place, 4)
      let name = bytes.text(place + 4)
      let data = place + 8..<place + 8 + length
      switch name {
      case "IHDR": header = try source.bytes(at: data.lowerBound, upTo: 13)
      case "PLTE", "tRNS", "gAMA", "cHRM", "sRGB", "iCCP":
        if isBeforeData, length <= 1 << 22 {
          common.append(contentsOf: try source.bytes(at: place, upTo: length + 12))
        }
      case "fcTL":
        if isBeforeData { startsWithStill = true }
        frames.append(Self.frame(&bytes, at: place + 8))
      case "IDAT":
        isBeforeData = false
        if startsWithStill { frames[0].data.append(data) }
      case "fdAT":
        if !frames.isEmpty, length >= 4 {
          frames[frames.count - 1].data.append(data.lowerBound + 4..<data.upperBound)
        }
      default: break
      }
      place += 12 + length
    }
    guard header.count == 13, !frames.isEmpty else {
      throw .corrupt(file: source.name, detail: "it has no frames")
    }
  }

  private static func frame(_ bytes: inout ByteWindow, at place: Int) -> Frame {
    // A denominator of 0 means 100.
    let (part, whole) = (bytes.big(place + 20, 2), bytes.big(place + 22, 2))
    return Frame(
      rect: BitmapRect(
        x: bytes.big(place + 12, 4), y: bytes.big(place + 16, 4), width: bytes.big(place + 4, 4),
        height: bytes.big(place + 8, 4)),
      disposal: bytes[place + 24], isBlended: bytes[place + 25] == 1,
      delay: FrameDelay(numerator: part, denominator: whole == 0 ? 100 : whole))
  }

  /// Whether a frame may have transparent pixels, so that the result needs alpha.
  var needsAlpha: Bool {
    guard let first = frames.first else { return true }
    let isWhole = first.rect.width == canvas.width && first.rect.height == canvas.height
    return !isWhole || header[9] & 4 != 0 || hasTransparentColor
      || frames.contains { $0.disposal == 1 }
      || first.disposal == 2
  }

  private var hasTransparentColor: Bool {
    common.firstRange(of: Data("tRNS".utf8)) != nil
  }

  /// Whether the file is grayscale.
  var isGray: Bool { header[9] & 3 == 0 }

  /// Frame `index` as a PNG file.
  func file(_ index: Int) throws(CropError) -> Data {
    let frame = frames[index]
    var own = header
    own.replaceSubrange(
      0..<8, with: PNGChunks.bigEndian(frame.rect.width) + PNGChunks.bigEndian(frame.rect.height))
    var file = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    PNGChunks.append("IHDR", own, to: &file)
    file.append(common)
    for range in frame.data {
      PNGChunks.append(
        "IDAT", try source.bytes(at: range.lowerBound, upTo: range.count), to: &file)
    }
    PNGChunks.append("IEND", [], to: &file)
    return file
  }
}
