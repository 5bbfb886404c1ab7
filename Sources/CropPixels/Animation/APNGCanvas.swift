import CVips
import CropCore
import CropImaging

/// The displayed state of an animated PNG, frame by frame.
struct APNGCanvas {
  private let frames: APNGFrames
  private let isLenient: Bool
  private var next = 0
  /// The red, green, blue and alpha samples of every pixel, with the bit depth of the file.
  private var shown: [UInt16]
  private var isWide = false
  private var profile: [UInt8]?

  init(_ frames: APNGFrames, isLenient: Bool) {
    self.frames = frames
    self.isLenient = isLenient
    shown = [UInt16](repeating: 0, count: frames.canvas.width * frames.canvas.height * 4)
  }

  /// The contents of the canvas with the next frame, as a complete image.
  mutating func advance() throws -> Picture {
    let frame = frames.frames[next]
    let before = frame.disposal == 2 ? shown : []
    try draw(frame)
    let picture = try self.picture()
    switch frame.disposal {
    case 1:
      for row in 0..<frame.rect.height {
        let start = place(frame.rect.x, frame.rect.y + row)
        for index in start..<start + 4 * frame.rect.width { shown[index] = 0 }
      }
    case 2: shown = before
    default: break
    }
    next += 1
    return picture
  }

  private func place(_ x: Int, _ y: Int) -> Int { (y * frames.canvas.width + x) * 4 }

  private mutating func draw(_ frame: APNGFrames.Frame) throws {
    let file = ImageSource(bytes: try frames.file(next), name: "frame")
    let reader = SourceReader(file)
    let loading = LoadOptions(isLenient: isLenient, isWhole: true)
    let picture = try Picture.opened(try reader.vipsSource(), as: .png, loading)
    isWide = picture.format == VIPS_FORMAT_USHORT
    profile = picture.bytes(Field.profile)
    guard picture.size == (frame.rect.width, frame.rect.height) else {
      throw VipsFailure(words: "a frame has another size than it says")
    }
    let bands = picture.bands
    let most = isWide ? 65_535 : 255
    let samples = try picture.samples()
    shown.withUnsafeMutableBufferPointer { shown in
      samples.withUnsafeBytes { bytes in
        for pixel in 0..<frame.rect.width * frame.rect.height {
          let (row, column) = pixel.quotientAndRemainder(dividingBy: frame.rect.width)
          let to = ((frame.rect.y + row) * frames.canvas.width + frame.rect.x + column) * 4
          func sample(_ band: Int) -> Int {
            let index = pixel * bands + band
            return isWide
              ? Int(bytes.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self))
              : Int(bytes[index])
          }
          let alpha = bands == 2 || bands == 4 ? sample(bands - 1) : most
          let isColor = bands >= 3
          if frame.isBlended, alpha < most {
            guard alpha > 0 else { continue }
            // Combined as in the format's specification.
            let under = (most - alpha) * Int(shown[to + 3])
            let sum = alpha * most + under
            for band in 0..<3 {
              let over = sample(isColor ? band : 0)
              shown[to + band] = UInt16(
                (over * alpha * most + Int(shown[to + band]) * under + sum / 2) / sum)
            }
            shown[to + 3] = UInt16((sum + most / 2) / most)
          } else {
            for band in 0..<3 { shown[to + band] = UInt16(sample(isColor ? band : 0)) }
            shown[to + 3] = UInt16(alpha)
          }
        }
      }
    }
  }

  /// The canvas with the channels of the file.
  private func picture() throws(VipsFailure) -> Picture {
    let size = frames.canvas
    let whole: Picture
    if isWide {
      let bytes = shown.withUnsafeBytes { [UInt8]($0) }
      whole = try Picture(
        samples: bytes, width: size.width, height: size.height, bands: 4, isWide: true)
    } else {
      whole = try Picture(
        samples: shown.map { UInt8(truncatingIfNeeded: $0) }, width: size.width,
        height: size.height, bands: 4)
    }
    var result = whole
    if frames.isGray {
      let gray = try whole.channels(from: 0)
      result = frames.needsAlpha ? try gray.joined(with: whole.channels(from: 3)) : gray
      result = try result.relabeled(
        as: isWide ? VIPS_INTERPRETATION_GREY16 : VIPS_INTERPRETATION_B_W)
    } else if !frames.needsAlpha {
      result = try whole.channels(from: 0, count: 3)
    }
    result = try result.relabeled()
    if let profile { result.set(Field.profile, to: profile) }
    return result
  }
}
