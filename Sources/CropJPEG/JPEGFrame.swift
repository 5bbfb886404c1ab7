import CropCore

/// How a JPEG codes its coefficients.
public enum JPEGProcess: Int, Hashable, Sendable, CaseIterable {
  /// Baseline: sequential, 8 bits, at most two tables of a kind (SOF0).
  case baseline
  /// Extended sequential (SOF1, SOF9).
  case extended
  /// Progressive (SOF2, SOF10).
  case progressive
}

/// One component (channel) of a JPEG.
public struct JPEGComponent: Hashable, Sendable {
  /// The identifier that scan headers name it by.
  public let id: UInt8
  /// How many blocks it has across an MCU, 1 to 4.
  public let horizontal: Int
  /// How many blocks it has down an MCU, 1 to 4.
  public let vertical: Int
  /// Which of the four quantisation tables it uses, 0 to 3.
  public let quantization: Int
}

/// The frame header of a JPEG: what its pixels are.
public struct JPEGFrame: Hashable, Sendable {
  /// How the coefficients are coded.
  public let process: JPEGProcess
  /// Whether the codes are arithmetic instead of Huffman codes.
  public let isArithmetic: Bool
  /// Bits of a sample, 8 or 12.
  public let precision: Int
  /// The stored size, 1 to 65,535 pixels a side.
  public let size: BitmapSize
  /// The components in the order of the header, 1 to 4.
  ///
  /// A single component always has factors of 1: its blocks are its MCUs, whatever the header says
  /// (ITU-T T.81, A.2.2).
  public let components: [JPEGComponent]
}

extension JPEGFrame {
  /// The largest horizontal factor of any component, 1 to 4.
  public var maxHorizontal: Int {
    var most = 1
    for component in components { most = max(most, component.horizontal) }
    return most
  }

  /// The largest vertical factor of any component, 1 to 4.
  public var maxVertical: Int {
    var most = 1
    for component in components { most = max(most, component.vertical) }
    return most
  }

  /// The grid the picture can be cut on.
  public var grid: JPEGGrid {
    JPEGGrid(size: size, cellWidth: 8 * maxHorizontal, cellHeight: 8 * maxVertical)
  }

  /// What keeps this frame from being cut by copying bits; nil if nothing does.
  public var obstacle: JPEGFeature? {
    if isArithmetic { return .arithmetic }
    if process == .progressive { return .progressive }
    if precision != 8 { return .precision }
    return nil
  }
}

/// One scan header: which components its data hold, and by which tables.
public struct JPEGScan: Hashable, Sendable {
  /// One component of a scan.
  public struct Part: Hashable, Sendable {
    /// The index of the component in the frame.
    public let component: Int
    /// Which of the four DC tables it uses, 0 to 3.
    public let dcTable: Int
    /// Which of the four AC tables it uses, 0 to 3.
    public let acTable: Int
  }

  /// The components in the order of the data, 1 to 4.
  public let parts: [Part]
  /// MCUs between restart markers; 0 if there are none.
  public let restartInterval: Int
  /// Where the coded data begin, in bytes from the start of the file.
  public let dataOffset: Int64
}
