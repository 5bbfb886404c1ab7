import CropCore

/// How the coefficients of a JPEG are coded.
public enum JPEGProcess: Int, Hashable, Sendable, CaseIterable {
  /// Baseline: sequential, 8 bits, at most two DC and two AC tables (SOF0).
  case baseline
  /// Extended sequential (SOF1, SOF9).
  case extended
  /// Progressive (SOF2, SOF10).
  case progressive
}

/// One component (channel) of a JPEG.
public struct JPEGComponent: Hashable, Sendable {
  /// The identifier that scan headers use.
  public let id: UInt8
  /// The horizontal sampling factor: the number of blocks across an MCU, 1 to 4.
  public let horizontal: Int
  /// The vertical sampling factor: the number of blocks down an MCU, 1 to 4.
  public let vertical: Int
  /// The index of its quantization table, 0 to 3.
  public let quantization: Int
}

/// The frame header of a JPEG: the size, components and coding of the image.
public struct JPEGFrame: Hashable, Sendable {
  /// How the coefficients are coded.
  public let process: JPEGProcess
  /// Whether arithmetic coding is used instead of Huffman codes.
  public let isArithmetic: Bool
  /// The number of bits per sample, 8 or 12.
  public let precision: Int
  /// The stored size, 1 to 65,535 pixels per side.
  public let size: BitmapSize
  /// The components in the order of the header, 1 to 4.
  ///
  /// If there is only one, its factors are always 1: each block is an MCU, whatever the header
  /// states (ITU-T T.81, A.2.2).
  public let components: [JPEGComponent]
}

extension JPEGFrame {
  /// The largest horizontal sampling factor of any component, 1 to 4.
  public var maxHorizontal: Int {
    var most = 1
    for component in components { most = max(most, component.horizontal) }
    return most
  }

  /// The largest vertical sampling factor of any component, 1 to 4.
  public var maxVertical: Int {
    var most = 1
    for component in components { most = max(most, component.vertical) }
    return most
  }

  /// The grid on which the image can be cut losslessly.
  public var grid: JPEGGrid {
    JPEGGrid(size: size, cellWidth: 8 * maxHorizontal, cellHeight: 8 * maxVertical)
  }

  /// The feature for which this frame can't be cut by copying bits; nil if it can.
  public var obstacle: JPEGFeature? {
    if isArithmetic { return .arithmetic }
    if process == .progressive { return .progressive }
    if precision != 8 { return .precision }
    return nil
  }
}

/// A scan header: the components in the scan, and the tables that they use.
public struct JPEGScan: Hashable, Sendable {
  /// One component of a scan.
  public struct Part: Hashable, Sendable {
    /// The index of the component in the frame.
    public let component: Int
    /// The index of its DC table, 0 to 3.
    public let dcTable: Int
    /// The index of its AC table, 0 to 3.
    public let acTable: Int
  }

  /// The components in the order of the coded data, 1 to 4.
  public let parts: [Part]
  /// The number of MCUs between restart markers; 0 if there are no restart markers.
  public let restartInterval: Int
  /// The position of the coded data, in bytes from the start of the file.
  public let dataOffset: Int64
}
