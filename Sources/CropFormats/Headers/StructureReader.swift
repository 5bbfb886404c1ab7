import CropCore

/// Reads the structure of a file that may contain anything.
protocol StructureReader {
  var source: ImageSource { get }
}

extension StructureReader {
  var name: String { source.name }

  func corrupt(_ detail: String) -> CropError { .corrupt(file: name, detail: detail) }

  func unsupported(_ feature: String) -> CropError {
    .unsupportedFeature(file: name, feature: feature)
  }

  /// Returns the value, or throws the error for a truncated header.
  func need<Value>(_ value: Value?, _ what: String) throws(CropError) -> Value {
    guard let value else { throw corrupt("it ends inside \(what)") }
    return value
  }

  /// A size, both sides at least 1.
  func size(_ width: Int, _ height: Int) throws(CropError) -> BitmapSize {
    guard width > 0, height > 0 else { throw corrupt("its size is \(width) × \(height)") }
    return BitmapSize(width: width, height: height)
  }
}

/// Reads the headers of a file in one format, and follows its structure to the end of the image, so
/// that a file that ends too early is reported wherever the crop is.
protocol HeaderReader: StructureReader {
  /// The file, and what was found in it besides the properties of the image.
  var file: Inspection { get set }

  init(_ file: Inspection) throws(CropError)

  /// Reads the complete structure.
  mutating func info() throws(CropError) -> ImageInfo
}

extension HeaderReader {
  var source: ImageSource { file.source }
  // Yields the stored reader, since a copy would copy its window with the next read.
  var reader: PictureReader {
    @inline(__always) _read { yield file.reader }
    @inline(__always) _modify { yield &file.reader }
  }
}
