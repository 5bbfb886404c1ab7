import CropJPEG

/// Passes the bytes of a source to `CropJPEG`, and stores the source's error.
package final class SourceInput {
  /// Why reading failed, as reported by the source.
  package private(set) var failure: CropError?
  private let source: ImageSource

  /// An input of the bytes of `source`.
  package init(_ source: ImageSource) { self.source = source }

  /// The input; valid as long as this object exists.
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
