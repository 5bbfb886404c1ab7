/// Parses the coded data of one scan, MCU by MCU, without decoding them. It only tracks the
/// position of each MCU and the sum of the DC differences.
final class ScanReader {
  /// One block of an MCU.
  struct Block {
    let dc: DCCode
    let ac: ACCode
    /// The index of its component within the scan, 0 to 3.
    let part: Int
  }

  /// The blocks of an MCU in the order of the data, 1 to 10.
  let blocks: [Block]
  let window: ScanWindow
  /// The absolute DC values before the next block, by part.
  let predictors: UnsafeMutablePointer<Int32>
  /// The position of the next bit, counted from the start of the window.
  var position = 0
  /// The largest valid magnitudes of DC values, by part.
  let mostDC: SIMD4<Int32>

  private let reader: ByteReader
  /// The same blocks without reference counts.
  let lookups: UnsafeMutablePointer<Lookup>

  /// The data of a block that the parser needs.
  struct Lookup {
    var dc: UnsafePointer<UInt16>
    var ac: UnsafePointer<UInt16>
    var predictor: UnsafeMutablePointer<Int32>
  }

  init(_ reader: ByteReader, window: ScanWindow, coded: CodedScan) {
    self.reader = reader
    self.window = window
    blocks = coded.blocks
    mostDC = coded.mostDC
    predictors = .allocate(capacity: 4)
    predictors.initialize(repeating: 0, count: 4)
    lookups = .allocate(capacity: max(1, blocks.count))
    for (index, block) in blocks.enumerated() {
      (lookups + index).initialize(
        to: Lookup(
          dc: UnsafePointer(block.dc.lookup), ac: UnsafePointer(block.ac.lookup),
          predictor: predictors + block.part))
    }
  }

  deinit {
    predictors.deallocate()
    lookups.deallocate()
  }

  /// Resets the DC predictors at the start of a scan or restart interval.
  func resetPredictors() {
    for part in 0..<4 { predictors[part] = 0 }
  }

  /// The distance of the predictors from the largest and the smallest valid value; negative if a
  /// predictor is invalid.
  @inline(__always)
  var roomForDC: SIMD4<Int32> {
    let values = UnsafeRawPointer(predictors).loadUnaligned(as: SIMD4<Int32>.self)
    return (mostDC &+ values) | (mostDC &- values)
  }

  /// The approximate file offset for errors.
  var offset: Int64 { reader.offset }

  /// The error for invalid or missing bits.
  func failure(_ damage: JPEGDamage) -> JPEGError {
    position > window.count * 8 || damage == .shortData
      ? .corrupt(.shortData, offset: offset) : .corrupt(damage, offset: offset)
  }
}

extension ScanReader {
  /// Skips the DC code of the next block and adds its difference to the predictor.
  func passDC(_ block: Block) -> JPEGDamage? {
    let word = Bits(window.bytes, at: position).word
    var entry = Int(block.dc.lookup[Int(truncatingIfNeeded: word &>> DCCode.indexShift)])
    if entry == 0 {
      guard let found = block.dc.entry(at: word) else { return .code }
      entry = found
    }
    predictors[block.part] &+= DCCode.difference(UInt64(truncatingIfNeeded: entry), word)
    position += entry & 63
    return nil
  }

  /// Skips the other coefficients of a block.
  func passAC(_ code: ACCode) -> JPEGDamage? {
    var reached = 1
    while reached < 64 {
      let word = Bits(window.bytes, at: position).word
      let entry = Int(code.lookup[Int(truncatingIfNeeded: word &>> ACCode.indexShift)])
      let after = reached + entry >> 8
      if after <= 64 || (after >= 128 && after < 192) {
        position += entry & 255
        reached = after
        continue
      }
      let step = oneSymbol(at: position, reached: reached, of: code)
      if let damage = step.damage { return damage }
      position = step.position
      reached = step.reached
    }
    return nil
  }
}
