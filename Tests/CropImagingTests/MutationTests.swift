import Foundation
import TestMaterial
import Testing

@testable import CropFormats
@testable import CropImaging
@testable import CropJPEG
@testable import CropMetadata
@testable import CropSystem

@Suite struct `Damaged headers` {
  /// The first bytes of each shared image, and the files made by hand.
  private static let seeds: [[UInt8]] = {
    let shared = SharedPictures.rows.compactMap {
      FileManager.default.contents(atPath: $0.path).map { Array($0.prefix(6000)) }
    }
    let several = Corpus.headers.filter { $0.pathExtension == "heic" }
      .compactMap { try? [UInt8](Data(contentsOf: $0)) }
    return shared + several + [
      HandMade.jpeg(HandMade.exifSegment(HandMade.exif(6))), HandMade.png(), HandMade.tiff(),
      HandMade.gif(4, 4, [HandMade.gifFrame(0, 0, 4, 4)]),
      HandMade.riff(HandMade.canvas(4, 4, flags: 0) + HandMade.lossless(4, 4)),
      HandMade.heif(properties: [HandMade.extents(4, 4), HandMade.box("irot", [1])]),
    ]
  }()

  /// A hang would keep this test from finishing; its duration means nothing on a busy machine.
  @Test func `no damage to a header is a crash or a hang`() {
    var random = Seeded(seed: Soak.seed(of: "damaged headers"))
    for original in Self.seeds where !original.isEmpty {
      for _ in 0..<40 * Soak.factor {
        let damaged = Self.damaged(original, &random)
        let isLenient = Bool.random(using: &random)
        let page = Int.random(in: 1...3, using: &random)
        let source = ImageSource(bytes: Data(damaged), name: "damaged")
        let info = try? inspect(damaged, isLenient: isLenient, page: page)
        if info?.format == .heic || info?.format == .avif {
          _ = try? HEIFView(source, page: page)
        }
        // Accepted files are within the limits.
        if let info { #expect(info.stored.width * info.stored.height <= Limits().pixels) }
      }
    }
  }

  private static let telling: [UInt8] = [0, 1, 2, 3, 4, 8, 0x7F, 0x80, 0xD8, 0xD9, 0xFE, 0xFF]

  /// Changes a few bytes, mostly near the start; sometimes also removes, repeats or cuts off a
  /// part.
  private static func damaged(_ original: [UInt8], _ random: inout Seeded) -> [UInt8] {
    var bytes = original
    for _ in 0..<Int.random(in: 1...8, using: &random) {
      let reach = Bool.random(using: &random) ? bytes.count : min(bytes.count, 200)
      guard reach > 0 else { break }
      let place = Int.random(in: 0..<reach, using: &random)
      let length = min(Int.random(in: 1...16, using: &random), bytes.count - place)
      switch Int.random(in: 0..<10, using: &random) {
      case 0: bytes.removeSubrange(place..<place + length)
      case 1: bytes.insert(contentsOf: bytes[place..<place + length], at: place)
      case 2: bytes.removeSubrange(place...)
      case 3: for i in 0..<min(4, length) { bytes[place + i] = 0xFF }
      case 4: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 5: bytes[place] &+= Bool.random(using: &random) ? 1 : 255
      default: bytes[place] = telling.randomElement(using: &random) ?? 0
      }
    }
    return bytes
  }
}
