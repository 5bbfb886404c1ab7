import CropCore
import CropJPEG
import FileWire

enum JPEGCode {
  case done, notJPEG, truncated, corrupt, unsupported, notLossless, failed

  init(_ error: JPEGError) {
    self =
      switch error {
      case .notJPEG: .notJPEG
      case .truncated, .corrupt(.shortData, _): .truncated
      case .corrupt: .corrupt
      case .unsupported: .unsupported
      case .offGrid: .notLossless
      case .readFailed, .writeFailed: .failed
      }
  }
}

extension Bridge {
  mutating func open() -> JPEGCode {
    file = nil
    do throws(JPEGError) {
      file = try JPEGFile(input(0))
      return .done
    } catch {
      return JPEGCode(error)
    }
  }

  func header() -> JPEGHeader? {
    file.map {
      let grid = $0.stored.grid
      return JPEGHeader(
        width: grid.size.width, height: grid.size.height, cellWidth: grid.cellWidth,
        cellHeight: grid.cellHeight, orientation: $0.orientation.rawValue, canCopy: $0.isCuttable,
        orientationAt: Int(truncatingIfNeeded: $0.unusualOrientation ?? 0))
    }
  }

  func crop(part: JPEGPart, metadata: MetadataPolicy, dpi: Int) -> JPEGCode {
    guard let flag = Orientation(rawValue: part.orientation) else { return .notLossless }
    return cut(part.rect, flag, metadata, density(dpi)) { write($0) }
  }

  /// The density of pixels per inch; nil for 0.
  private func density(_ dpi: Int) -> PixelDensity? { dpi > 0 ? PixelDensity(dpi: dpi) : nil }

  /// The edges of the part may be anywhere.
  func check(part: JPEGPart) -> JPEGCode {
    let rect = file?.header.grid.surroundings(of: part.rect) ?? part.rect
    return cut(rect, .up, .stripAll, nil) { _ in }
  }

  private func cut(
    _ rect: BitmapRect, _ flag: Orientation, _ metadata: MetadataPolicy, _ density: PixelDensity?,
    into sink: JPEGSink
  ) -> JPEGCode {
    guard let file, file.isCuttable, !rect.size.isEmpty else { return .notLossless }
    do throws(JPEGError) {
      let report = try file.crop(
        rect, orientation: flag, metadata: metadata, density: density, into: sink)
      return report.warnings.contains(.truncated) ? .truncated : .done
    } catch {
      return JPEGCode(error)
    }
  }

  func copyMetadata(metadata: MetadataPolicy, dpi: Int, isScaled: Bool) -> JPEGCode {
    guard let file else { return .notJPEG }
    do throws(JPEGError) {
      try file.copyMetadata(
        to: input(1), metadata: metadata, isScaled: isScaled, density: density(dpi)
      ) { write($0) }
      return .done
    } catch {
      return JPEGCode(error)
    }
  }
}

extension JPEGPart {
  var rect: BitmapRect { BitmapRect(x: x, y: y, width: width, height: height) }
}
