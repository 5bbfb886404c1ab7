import CVips
import CropCore
import CropImaging
import FoundationEssentials

/// Passes the bytes of a ``ImageSource`` to libvips.
///
/// Every read uses ``ImageSource/read(into:at:)`` with an explicit position: nothing is mapped,
/// so a file that shrinks is an error and not a crash, and a descriptor shared by several processes
/// has no position.
final class SourceReader {
  /// The error while reading, if any; libvips only reports that one occurred.
  private(set) var failure: CropError?
  /// The orientation of the pixels that the decoder returns; up if it applies the orientation.
  let orientation: Orientation
  private let source: ImageSource
  private let patches: [BytePatch]
  /// The end of the image, in bytes; nil if it is the end of the file.
  private let end: Int?
  private var position = 0

  /// Reads the first image of a file, without changes to the bytes.
  init(_ source: ImageSource) {
    self.source = source.forOneCrop
    orientation = .up
    patches = []
    end = nil
  }

  /// Reads a page of `source`, from 1, or a dependent image of a HEIC; in HEIC and AVIF, the
  /// decoder sees it as the main image.
  init(
    _ source: ImageSource, info: ImageInfo, page: Int, item: Int? = nil
  ) throws(CropError) {
    // Without the state that crops share: it may hold this object.
    self.source = source.forOneCrop
    // Bytes after the end confuse the decoder if an extension precedes the end (libnsgif in libvips
    // 8.14).
    let hasTrailer = info.format == .gif && info.metadata.contains(.trailer)
    end = hasTrailer ? try source.gifEnd() : nil
    guard info.format.isHEIF else {
      orientation = info.format.isTurnedByDecoder ? .up : info.orientation
      patches = []
      return
    }
    let view =
      if let item { try HEIFView(source, item: item) } else { try HEIFView(source, page: page) }
    orientation = view.isTurnedByDecoder ? .up : info.orientation
    patches = view.patches
  }

  /// A libvips source that reads through this object; the object must outlive every image made from it.
  func vipsSource() throws(VipsFailure) -> ObjectReference {
    guard let custom = vips_source_custom_new() else { throw Messages.failure() }
    let reference = ObjectReference(owning: UnsafeMutableRawPointer(custom))
    // libvips keeps the reader alive as long as the source.
    let read: ReadCallback = { _, buffer, count, context in
      SourceReader.from(context)?.read(into: buffer, count: count) ?? -1
    }
    let seek: SeekCallback = { _, offset, whence, context in
      SourceReader.from(context)?.seek(to: offset, from: whence) ?? -1
    }
    connect("read", of: reference, to: unsafeBitCast(read, to: GCallback.self))
    connect("seek", of: reference, to: unsafeBitCast(seek, to: GCallback.self))
    return reference
  }

  private typealias ReadCallback =
    @convention(c) (
      UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, gint64, gpointer?
    ) -> gint64
  private typealias SeekCallback =
    @convention(c) (UnsafeMutableRawPointer?, gint64, Int32, gpointer?) -> gint64

  private func connect(_ signal: String, of source: ObjectReference, to callback: GCallback) {
    g_signal_connect_data(
      source.raw, signal, callback, Unmanaged.passRetained(self).toOpaque(),
      { context, _ in
        if let context { Unmanaged<SourceReader>.fromOpaque(context).release() }
      }, GConnectFlags(rawValue: 0))
  }

  private static func from(_ context: gpointer?) -> SourceReader? {
    context.map { Unmanaged<SourceReader>.fromOpaque($0).takeUnretainedValue() }
  }

  private func read(into buffer: UnsafeMutableRawPointer?, count: gint64) -> gint64 {
    guard let buffer, count > 0 else { return 0 }
    do {
      let wanted = min(Int(count), max(0, (end ?? .max) - position))
      let done = try source.read(
        into: UnsafeMutableRawBufferPointer(start: buffer, count: wanted), at: position)
      let got = UnsafeMutableRawBufferPointer(start: buffer, count: done)
      for patch in patches { patch.apply(to: got, at: position) }
      position += done
      return gint64(done)
    } catch {
      failure = error
      return -1
    }
  }

  private func seek(to offset: gint64, from whence: Int32) -> gint64 {
    let base =
      switch whence {
      case SEEK_SET: 0
      case SEEK_CUR: position
      default: end ?? source.byteCount
      }
    let (target, overflow) = base.addingReportingOverflow(Int(offset))
    guard !overflow, target >= 0 else { return -1 }
    position = target
    return gint64(target)
  }
}
