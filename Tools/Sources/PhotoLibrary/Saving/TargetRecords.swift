import CropImaging
import FoundationEssentials
import Glibc
import Synchronization

/// Identifies a file by its contents, independent of its name and place: crops refer to their
/// sources like this.
struct FileContent: Hashable, Sendable {
  /// Its length in bytes.
  let bytes: Int
  /// SHA-256, in lower-case hexadecimal digits.
  let checksum: String

  /// Nil for an invalid length or checksum, since a crop from elsewhere may contain anything.
  init?(bytes: Int, checksum: String) {
    let isChecksum =
      checksum.utf8.count == 64
      && checksum.utf8.allSatisfy { byte in
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
      }
    guard bytes > 0, isChecksum else { return nil }
    self.bytes = bytes
    self.checksum = checksum
  }
}

/// The stored targets of photos.
///
/// Each photo's targets are a small JSON file, named after the content of the photo's file, in a
/// folder named after its length. For a photo without targets the folder usually does not exist, so
/// its file is not read. This is not a cache: the index can be deleted or damaged without losing
/// targets.
final class TargetRecords: Sendable {
  private let folder: String
  /// The checksums of files that were already read.
  private let checksums = Mutex<[FileStamp: String]>([:])

  /// The records in `folder`.
  init(folder: String) { self.folder = folder }

  private static let ending = ".json"
  private static let maxBytes = 1 << 20
  private static let mostChecksums = 1024

  private func place(ofBytes bytes: Int) -> String { "\(folder)/\(String(bytes, radix: 36))" }

  private func path(of content: FileContent) -> String {
    "\(place(ofBytes: content.bytes))/\(content.checksum)\(Self.ending)"
  }

  /// The record for a content; nil if there is none.
  func record(of content: FileContent) -> TargetRecord? {
    guard
      let source = try? ImageSource(
        path: path(of: content), limits: Limits(bytes: Self.maxBytes)),
      let bytes = try? source.allBytes()
    else { return nil }
    return try? JSONDecoder().decode(TargetRecord.self, from: bytes)
  }

  /// The record for an open photo; nil if there is none. The photo is only read if there are
  /// records for files of the same length, but none with its stamp.
  func record(of photo: OpenedPhoto) throws -> TargetRecord? {
    let names = try? FileManager.default.contentsOfDirectory(
      atPath: place(ofBytes: photo.source.byteCount))
    let records = (names ?? []).compactMap { name -> (checksum: String, record: TargetRecord)? in
      guard name.hasSuffix(Self.ending),
        let content = FileContent(
          bytes: photo.source.byteCount, checksum: String(name.dropLast(Self.ending.count))),
        let record = record(of: content)
      else { return nil }
      return (content.checksum, record)
    }
    guard !records.isEmpty else { return nil }
    if let known = records.first(where: { $0.record.stamp == photo.stamp }) { return known.record }
    let checksum = try content(of: photo).checksum
    return records.first { $0.checksum == checksum }?.record
  }

  /// The content of an open photo, which is read if unknown.
  ///
  /// - Throws: ``LibraryError/changed(name:)`` if it changes in the meantime, and errors of
  ///   reading.
  func content(of photo: OpenedPhoto) throws -> FileContent {
    let known = checksums.withLock { $0[photo.stamp] }
    let checksum = try known ?? Digests.sha256(of: photo.source) { _ in try CropStop.check() }
    guard photo.isUnchanged,
      let content = FileContent(bytes: photo.source.byteCount, checksum: checksum)
    else { throw LibraryError.changed(name: photo.source.name) }
    checksums.withLock { checksums in
      if checksums.count >= Self.mostChecksums { checksums = [:] }
      checksums[photo.stamp] = checksum
    }
    return content
  }

  /// Stores a record for a content, replacing an earlier one.
  ///
  /// - Parameter check: called with the current tag, nil if there is none; an error it throws stops
  ///   the change. The check and the change are atomic.
  /// - Throws: ``LibraryError/diskFull(place:)`` and other errors of saving.
  func keep(
    _ record: TargetRecord, of content: FileContent, unless check: (_ tag: String?) throws -> Void
  ) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let bytes = try encoder.encode(record)
    try LibraryError.savingRecords {
      try alone(with: content, makesFolder: true) {
        try check(self.record(of: content)?.tag)
        try AtomicFile.save(bytes, to: path(of: content), replacing: .existing)
      }
    }
  }

  /// Removes the record for a content; `check` is as in ``keep(_:of:unless:)``.
  func forget(_ content: FileContent, unless check: (_ tag: String?) throws -> Void) throws {
    try alone(with: content, makesFolder: false) {
      try check(record(of: content)?.tag)
      unlink(path(of: content))
      // This fails while the folder has other records.
      rmdir(place(ofBytes: content.bytes))
    }
  }

  /// Runs work while no other server of this user works with contents of the same length.
  private func alone(
    with content: FileContent, makesFolder: Bool, _ work: () throws -> Void
  ) throws {
    let place = place(ofBytes: content.bytes)
    // A program that used the folder exclusively before may have removed it.
    for _ in 0..<100 {
      if makesFolder { try make(place) }
      let folder = open(place, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      if folder < 0, errno == ENOENT {
        if makesFolder { continue }
        return try work()
      }
      guard folder >= 0 else {
        throw CropError.outputUncreatable(path: place, detail: String(cString: strerror(errno)))
      }
      defer { close(folder) }
      var (own, named) = (stat(), stat())
      guard flock(folder, LOCK_EX) == 0, fstat(folder, &own) == 0,
        stat(place, &named) == 0, own.st_ino == named.st_ino
      else { continue }
      return try work()
    }
    throw LibraryError.busy
  }
  private func make(_ place: String) throws(CropError) {
    do {
      try FileManager.default.createDirectory(
        atPath: place, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      if (error as? CocoaError)?.code == .fileWriteOutOfSpace { throw .diskFull(path: place) }
      let reason = (error as? CocoaError)?.underlying as? POSIXError
      throw .outputUncreatable(
        path: place,
        detail: reason.map { String(cString: strerror($0.code.rawValue)) } ?? "\(error)")
    }
  }
}
