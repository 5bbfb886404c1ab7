import Foundation
import TestMaterial
import Testing

@testable import CropCore
@testable import CropMetadata

/// The fuzzing corpus for metadata, and seeded changes of it.
struct MetadataCorpusTests {
  private static let files = Repository.corpus("Metadata").compactMap { file in
    (try? Data(contentsOf: file)).map { [UInt8]($0) }
  }

  private static let edit = MetadataEdit(
    width: 640, height: 480, policy: .stripLocation, orientation: .right)

  /// Edits the contents of a file according to the type in its first byte; the result contains no
  /// image, and editing a valid one again changes nothing.
  private func edit(_ file: [UInt8], isSound: Bool) {
    guard file.count >= 2 else { return }
    let content = Array(file[2...])
    let edit = Self.edit
    switch file[0] {
    case 0:
      guard let once = EXIFBlock(content, edit: edit)?.bytes else { return }
      #expect(EXIFBlock.orientation(of: once) == .right)
      #expect(!isSound || EXIFBlock(once, edit: edit)?.bytes == once)
      #expect(!once.holdsPicture(to: once.count))
    case 1:
      guard let once = XMPPacket(content, edit: edit)?.bytes else { return }
      #expect(XMPPacket(once, edit: edit)?.bytes == once)
    case 2:
      var lost: MetadataLoss = []
      guard let records = IPTCRecords.unwrapped(content),
        let once = IPTCRecords.kept(records, dropsLocation: true, lost: &lost)
      else { return }
      #expect(IPTCRecords.kept(once, dropsLocation: true, lost: &lost) == once)
      #expect(IPTCRecords.unwrapped(IPTCRecords.wrapped(once)) == once)
      #expect(!once.holdsPicture(to: once.count))
    default: break
    }
  }

  @Test func `every file of the corpus, and changes of it, are edited once and for all`() {
    #expect(Self.files.count >= 9)
    for file in Self.files { edit(file, isSound: true) }
    var state: UInt64 = 20_261_121
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    for _ in 0..<5000 {
      var bytes = Self.files[next(Self.files.count)]
      for _ in 0...next(4) {
        let at = 2 + next(bytes.count - 2)
        switch next(3) {
        case 0: bytes[at] = UInt8(next(256))
        case 1 where bytes.count > 3: bytes.remove(at: at)
        default: bytes.insert([0, 0xFF, 0x3C, 0x1C][next(4)], at: at)
        }
      }
      edit(bytes, isSound: false)
    }
  }
}
