import CropImaging
import Foundation
import Synchronization
import Testing

@testable import CropServer
@testable import PhotoLibrary

/// The parts of a library, tested separately.
struct LibraryPartsTests {
  /// Work that reports when it starts and ends when requested.
  private final class Bench: Sendable {
    let order = Mutex<[Int64]>([])
    private let finished = DispatchSemaphore(value: 0)

    func work(_ number: Int64) -> ThumbnailQueue.Work {
      { [self] in
        order.withLock { $0.append(number) }
        finished.wait()
        return Thumbnail(bytes: Data([UInt8(truncatingIfNeeded: number)]), stamp: nil)
      }
    }

    func finish(_ count: Int = 1) { for _ in 0..<count { finished.signal() } }

    func started(_ count: Int) async throws {
      try await eventually("\(count) begun") { order.withLock { $0.count } >= count }
    }
  }

  private func key(_ number: Int64) -> ThumbnailQueue.Key {
    ThumbnailQueue.Key(
      photo: LibraryID(number), stamp: FileStamp(size: 1, modified: 1, inode: 1), size: .large)
  }

  @Test func `the thumbnail asked for last is made first`() async throws {
    let (queue, bench) = (ThumbnailQueue(places: 1), Bench())
    var tasks: [Task<Thumbnail, any Error>] = []
    for number in 1...4 as ClosedRange<Int64> {
      tasks.append(Task { try await queue.thumbnail(key(number), bench.work(number)) })
      // The first one has the only slot before the others arrive.
      if number == 1 { try await bench.started(1) }
      try await eventually("it has come") { queue.askedFor == number }
    }
    bench.finish(4)
    for task in tasks { _ = try await task.value }
    #expect(bench.order.withLock { $0 } == [1, 4, 3, 2])
  }

  @Test func `a cancelled thumbnail is not made`() async throws {
    let (queue, bench) = (ThumbnailQueue(places: 1), Bench())
    let first = Task { try await queue.thumbnail(key(1), bench.work(1)) }
    try await bench.started(1)
    let second = Task { try await queue.thumbnail(key(2), bench.work(2)) }
    let third = Task { try await queue.thumbnail(key(3), bench.work(3)) }
    try await eventually("all have come") { queue.askedFor == 3 }
    third.cancel()
    await #expect(throws: CancellationError.self) { try await third.value }
    bench.finish(2)
    #expect(try await first.value.bytes == Data([1]))
    #expect(try await second.value.bytes == Data([2]))
    #expect(bench.order.withLock { $0 } == [1, 2])
  }

  @Test func `one thumbnail asked for twice is made once, also if one of the two leaves`()
    async throws
  {
    let (queue, bench) = (ThumbnailQueue(places: 1), Bench())
    let blocker = Task { try await queue.thumbnail(key(1), bench.work(1)) }
    try await bench.started(1)
    let tasks = (0..<3).map { _ in Task { try await queue.thumbnail(key(2), bench.work(2)) } }
    try await eventually("all have come") { queue.askedFor == 4 }
    tasks[0].cancel()
    bench.finish(3)
    _ = try await blocker.value
    for task in tasks.dropFirst() { #expect(try await task.value.bytes == Data([2])) }
    #expect(bench.order.withLock { $0 } == [1, 2])
  }

  @Test func `too many waiting thumbnails are refused`() async throws {
    let (queue, bench) = (ThumbnailQueue(places: 1, mostWaiting: 2), Bench())
    let tasks = (1...2).map { number in
      Task { try await queue.thumbnail(key(Int64(number)), bench.work(Int64(number))) }
    }
    try await eventually("both have come") { queue.askedFor == 2 }
    await #expect(throws: LibraryError.busy) { try await queue.thumbnail(key(3), bench.work(3)) }
    bench.finish(2)
    for task in tasks { _ = try await task.value }
  }

  @Test func `prefetching waits for requests, and is replaced by the next page's`()
    async throws
  {
    let (queue, bench) = (ThumbnailQueue(places: 1), Bench())
    let first = Task { try await queue.thumbnail(key(1), bench.work(1)) }
    try await bench.started(1)
    queue.prepare([2, 3].map { (key($0), bench.work($0)) })
    queue.prepare([4, 5].map { (key($0), bench.work($0)) })
    let second = Task { try await queue.thumbnail(key(6), bench.work(6)) }
    try await eventually("it has come") { queue.askedFor == 2 }
    bench.finish(4)
    _ = try await (first.value, second.value)
    try await bench.started(4)
    #expect(bench.order.withLock { $0 } == [1, 6, 4, 5])
  }

  @Test func `addresses of files are written as GLib writes them`() {
    #expect(
      FileAddress.of(PathBytes("/home/a b/ü#%?[x]'(1)&+,;=@~!$*.jpg"))
        == "file:///home/a%20b/%C3%BC%23%25%3F%5Bx%5D'(1)&+,%3B=@~!$*.jpg")
    #expect(FileAddress.of(PathBytes([0x2F, 0xFF, 0x0A])) == "file:///%FF%0A")
  }

  @Test func `ids are read as they are written, and nothing else is`() throws {
    for path in ["", "a", "b/c.jpg", "é"] {
      let id = LibraryID(of: path.utf8)
      #expect(LibraryID(id.text) == id)
    }
    for text in ["", "-1", "+1", "0", "A", "a b", "zzzzzzzzzzzzz", "zzzzzzzzzzzzzz", "../x", "é"] {
      #expect(LibraryID(text) == nil, "\(text)")
    }
  }

  @Test func `names of saved files are numbered, plain and short enough`() {
    let name = CropName(croppedFrom: PathBytes("a.b.heic"), format: .jpeg)
    #expect(name[1].name == "a.b-cropped.jpg")
    #expect(name[12].name == "a.b-cropped-12.jpg")
    #expect(CropName(croppedFrom: PathBytes(".x"), format: .png)[1].name == ".x-cropped.png")
    #expect(CropName(stem: "../..", format: .png)[1].name == "_...png")
    #expect(CropName(stem: "", format: .png)[1].name == "photo.png")
    #expect(CropName(stem: "a\u{202E}gpj\u{7F}\n.x", format: .png)[1].name == "a_gpj__.x.png")
    #expect(CropName(stem: "👩‍🚀", format: .png)[1].name == "👩‍🚀.png")
    let long = CropName(croppedFrom: PathBytes(String(repeating: "é", count: 127)), format: .jpeg)
    #expect(long[99_999].bytes.count <= 255)
    #expect(String(validating: long[1].bytes, as: UTF8.self) != nil)
  }

  @Test func `the pictures folder is what the user's directories say`() throws {
    let folder = try Folder()
    for name in ["Pictures", "Bilder", ".config"] { mkdir(folder.path(name), 0o700) }
    func pictures(_ line: String) throws -> String? {
      _ = try folder.write(line.utf8, as: ".config/user-dirs.dirs")
      return UserFolders(environment: ["HOME": folder.path]).pictures
    }
    #expect(try pictures("# x\nXDG_PICTURES_DIR=\"$HOME/Bilder\"\n") == folder.path("Bilder"))
    #expect(try pictures("XDG_PICTURES_DIR=\"\(folder.path("Bilder"))\"") == folder.path("Bilder"))
    #expect(try pictures("XDG_MUSIC_DIR=\"$HOME/Bilder\"") == folder.path("Pictures"))
    #expect(try pictures("XDG_PICTURES_DIR=\"$HOME/\"") == nil)
    #expect(try pictures("XDG_PICTURES_DIR=\"$HOME/nothing\"") == nil)
  }

  @Test(arguments: [
    ("bytes=0-0", 10, 0..<1), ("bytes=9-", 10, 9..<10), ("bytes=-3", 10, 7..<10),
    ("bytes=-99", 10, 0..<10), ("Bytes=1-2", 10, 1..<3),
    ("bytes=2-99999999999999999999", 10, 2..<10),
  ])
  func `a range is read`(field: String, count: Int, range: Range<Int>) {
    #expect(ByteRange(field, of: count)?.range == range)
  }

  @Test func `a range past the end has no bytes, nonsense is no range`() throws {
    #expect(try #require(ByteRange("bytes=10-", of: 10)).range == nil)
    #expect(try #require(ByteRange("bytes=-0", of: 10)).range == nil)
    #expect(try #require(ByteRange("bytes=0-", of: 0)).range == nil)
    for field in [
      "bytes=", "bytes=-", "bytes=1", "bytes=2-1", "bytes=1-2,3-4", "x=1-2", "bytes=-x",
    ] {
      #expect(ByteRange(field, of: 10) == nil, "\(field)")
    }
  }
}
