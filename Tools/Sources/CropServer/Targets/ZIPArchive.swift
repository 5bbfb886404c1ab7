import CropImaging
import FoundationEssentials
import Glibc
import Hummingbird
import NIOCore

/// Writes a ZIP archive into a file without a name (PKWARE's APPNOTE.TXT, versions up to 2.0 and
/// the flag for UTF-8 names). Images are already compressed, so they are stored without
/// compression.
final class ZIPArchive {
  private let file: Int32
  private let most: Int
  private let moment: ZIPMoment
  private var count = 0
  private var entries = 0
  private var directory = ByteBuffer()

  /// An archive without files.
  ///
  /// - Parameters:
  ///   - most: the maximum length in bytes.
  ///   - moment: the date and time of its files.
  init(atMost most: Int, moment: ZIPMoment = .earliest) throws(Problem) {
    self.moment = moment
    // The limit of the fields without ZIP64.
    self.most = min(most, 0xFFFF_FFFE)
    file = try AnonymousFile.opened()
  }

  deinit { close(file) }

  /// Adds a file.
  ///
  /// - Throws: `Problem` if the archive would become too long, or for a disk error.
  func add(_ bytes: Data, as name: [UInt8]) throws(Problem) {
    let header = 30 + name.count
    let entry = 46 + name.count
    guard count + header + bytes.count + directory.readableBytes + entry + Self.endBytes <= most
    else {
      throw Problem(
        .contentTooLarge, code: "limit-bytes", "an archive may have at most \(most) bytes")
    }
    let sum = CRC32.checksum(of: bytes)
    let (start, length) = (UInt32(count), UInt32(bytes.count))
    var head = ByteBuffer()
    head.writeNumber(0x0403_4b50 as UInt32)
    head.writeEntry(sum, length, name, moment)
    head.writeBytes(name)
    try write(head)
    try AnonymousFile.write(bytes, to: file)
    count += bytes.count
    entries += 1
    directory.writeNumber(0x0201_4b50 as UInt32)
    directory.writeNumber(ByteBuffer.version)
    directory.writeEntry(sum, length, name, moment)
    // No comment, the first disk, no attributes.
    directory.writeRepeatingByte(0, count: 10)
    directory.writeNumber(start)
    directory.writeBytes(name)
  }

  func finished() throws(Problem) -> Data {
    let start = UInt32(count)
    var end = ByteBuffer()
    end.writeNumber(0x0605_4b50 as UInt32)
    end.writeRepeatingByte(0, count: 4)
    end.writeNumber(UInt16(entries))
    end.writeNumber(UInt16(entries))
    end.writeNumber(UInt32(directory.readableBytes))
    end.writeNumber(start)
    end.writeRepeatingByte(0, count: 2)
    try write(directory)
    try write(end)
    return try AnonymousFile.bytes(of: file, count: count)
  }

  private static let endBytes = 22

  private func write(_ buffer: ByteBuffer) throws(Problem) {
    try AnonymousFile.write(Data(buffer.readableBytesView), to: file)
    count += buffer.readableBytes
  }
}

/// A local date and time in an archive, with a resolution of two seconds, from 1980 to 2107.
struct ZIPMoment: Sendable {
  let day: UInt16
  let time: UInt16

  /// The default, so that the same files make the same archive.
  static var earliest: Self { Self(day: 1 << 5 | 1, time: 0) }

  private init(day: UInt16, time: UInt16) {
    self.day = day
    self.time = time
  }

  /// Parses `2026-11-30T06:30:00`; nil for any other form.
  init?(_ text: String) {
    let parts = text.split(separator: "T", omittingEmptySubsequences: false)
    guard text.utf8.count == 19, parts.count == 2 else { return nil }
    let date = parts[0].split(separator: "-").map { UInt16($0) }
    let clock = parts[1].split(separator: ":").map { UInt16($0) }
    guard date.count == 3, clock.count == 3,
      let year = date[0], let month = date[1], let day = date[2],
      let hour = clock[0], let minute = clock[1], let second = clock[2],
      (1980...2107).contains(year), (1...12).contains(month), (1...31).contains(day),
      hour < 24, minute < 60, second < 60
    else { return nil }
    self.init(
      day: (year - 1980) << 9 | month << 5 | day, time: hour << 11 | minute << 5 | second >> 1)
  }
}

extension ByteBuffer {
  fileprivate static let version: UInt16 = 20

  fileprivate mutating func writeNumber(_ number: UInt32) {
    writeInteger(number, endianness: .little)
  }

  fileprivate mutating func writeNumber(_ number: UInt16) {
    writeInteger(number, endianness: .little)
  }

  /// Writes the fields that a file's header and its directory entry share.
  fileprivate mutating func writeEntry(
    _ sum: UInt32, _ length: UInt32, _ name: [UInt8], _ moment: ZIPMoment
  ) {
    let isUTF8: UInt16 = 0x0800
    for number in [Self.version, isUTF8, 0, moment.time, moment.day] { writeNumber(number) }
    for number in [sum, length, length] { writeNumber(number) }
    writeNumber(UInt16(name.count))
    writeNumber(0 as UInt16)
  }
}
