import Glibc

/// The limits for one image. Anything that exceeds them is rejected, if possible before any pixel
/// is decoded.
public struct Limits: Sendable, Equatable, Codable {
  /// The largest number of pixels: the stored width × height of an image's largest frame, and of a
  /// result.
  public var pixels: Int
  /// The most pixels of a result; nil for ``pixels``, and at most four times those of the image
  /// (see ``outputPixels(from:)``). A client that chooses its recipe could otherwise turn a small
  /// image into minutes of work.
  public var output: Int?
  /// The largest file, in bytes.
  public var bytes: Int
  /// The most scans that a progressive JPEG may have.
  public var scans: Int
  /// The longest time for one image, in seconds of processor time, so that a busy machine takes
  /// longer but fails no image; ``longestWait`` bounds the time that passes.
  public var seconds: Int
  /// The most memory for one image, in bytes, on top of what the program itself needs. A worker
  /// process may use as much again for the encoded result.
  public var memory: Int

  /// The default limits: 300 megapixels, results of four times the image, 512 MiB per file, 100 scans, 30 seconds, and
  /// ``defaultMemory``.
  public init(
    pixels: Int = 300_000_000, bytes: Int = 512 << 20, scans: Int = 100, seconds: Int = 30,
    memory: Int = Self.defaultMemory, output: Int? = nil
  ) {
    self.pixels = pixels
    self.bytes = bytes
    self.scans = scans
    self.seconds = seconds
    self.memory = memory
    self.output = output
  }

  /// The longest time that may pass for one image while the processor does other work, in seconds:
  /// ten times ``seconds``.
  public var longestWait: Int {
    let (wait, overflow) = seconds.multipliedReportingOverflow(by: TimeLimit.patience)
    return overflow ? .max : wait
  }

  /// The most pixels of a result from an image of `pixels` pixels: ``output``, or four times as
  /// many, but at least ``usualOutput`` and at most ``pixels``.
  public func outputPixels(from pixels: Int) -> Int {
    if let output { return output }
    let (larger, overflow) = pixels.multipliedReportingOverflow(by: 4)
    return min(self.pixels, max(overflow ? .max : larger, Self.usualOutput))
  }

  /// The most pixels that a result of a small image may have, unless ``output`` says more: 16
  /// megapixels, which takes about a second.
  public static let usualOutput = 16_000_000

  /// The default memory limit for one image, in bytes: a quarter of the machine's memory, at least
  /// 1 GiB and at most 4 GiB. If a control group allows less than the machine has, its limit
  /// counts.
  ///
  /// A HEIC of 200 megapixels takes 1.2 GiB to decode (measured with libheif 1.15), and more to
  /// rotate.
  public static let defaultMemory = memory(ofMachine: machineMemory)

  /// The default on a machine with this many bytes of memory.
  package static func memory(ofMachine bytes: Int) -> Int {
    min(max(bytes / 4, 1 << 30), 4 << 30)
  }

  /// The memory of the machine, or of the control group that the process runs in, in bytes.
  private static var machineMemory: Int {
    let (bytes, overflow) = sysconf(Int32(_SC_PHYS_PAGES))
      .multipliedReportingOverflow(by: sysconf(Int32(_SC_PAGESIZE)))
    let group = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"]
      .compactMap(number).min()
    return max(0, min(overflow ? .max : bytes, group ?? .max))
  }

  /// The number in a file of the kernel; nil if it does not contain one.
  private static func number(inFile path: String) -> Int? {
    guard let file = Descriptor(opening: path, flags: O_RDONLY) else { return nil }
    var text = [UInt8](repeating: 0, count: 32)
    let count = read(file.raw, &text, text.count)
    return Int(String(decoding: text.prefix(max(count, 0)).prefix { $0 > 0x20 }, as: UTF8.self))
  }
}
