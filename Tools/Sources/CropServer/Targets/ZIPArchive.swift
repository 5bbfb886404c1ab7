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
  private var count = 0
  private var entries = 0
  private var directory = ByteBuffer()

  /// An archive without files.
  ///
  /// - Parameter most: the maximum length in bytes.
  init(atMost most: Int) throws(Problem) {
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
    head.writeEntry(sum, length, name)
    head.writeBytes(name)
    try write(head)
    try AnonymousFile.write(bytes, to: file)
    count += bytes.count
    entries += 1
    directory.writeNumber(0x0201_4b50 as UInt32)
    directory.writeNumber(ByteBuffer.version)
    directory.writeEntry(sum, length, name)
    // No comment, the first disk, no attributes.
    directory.writeRepeatingByte(0, count: 10)
    directory.writeNumber(start)
    directory.writeBytes(name)
  }

  /// The complete archive.
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

extension ByteBuffer {
  fileprivate static let version: UInt16 = 20

  fileprivate mutating func writeNumber(_ number: UInt32) {
    writeInteger(number, endianness: .little)
  }

  fileprivate mutating func writeNumber(_ number: UInt16) {
    writeInteger(number, endianness: .little)
  }

  /// Writes the fields that a file's header and its directory entry share.
  fileprivate mutating func writeEntry(_ sum: UInt32, _ length: UInt32, _ name: [UInt8]) {
    let isUTF8: UInt16 = 0x0800
    // The earliest date, so that the same files make the same archive.
    let (time, day): (UInt16, UInt16) = (0, 1 << 5 | 1)
    for number in [Self.version, isUTF8, 0, time, day] { writeNumber(number) }
    for number in [sum, length, length] { writeNumber(number) }
    writeNumber(UInt16(name.count))
    writeNumber(0 as UInt16)
  }
}
