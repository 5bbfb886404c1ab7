import CropJPEG

/// Hands the bytes of a source to `CropJPEG`, and keeps what went wrong.
package final class SourceInput {
  /// Why reading failed, as the source told it.
  package private(set) var failure: CropError?
  private let source: PictureSource

  /// The bytes of `source`.
  package init(_ source: PictureSource) { self.source = source }

  /// The bytes; they can be read as long as this object lives.
  package var jpeg: JPEGInput {
    JPEGInput { (offset, buffer) throws(JPEGError) in
      do throws(CropError) {
        return try self.source.read(into: buffer, at: Int(clamping: offset))
      } catch {
        self.failure = error
        throw .readFailed(code: 0)
      }
    }
  }
}
