extension ScanReader {
  /// Why parsing stopped.
  enum Stop {
    /// All requested MCUs were passed.
    case done
    /// The window is nearly used up.
    case window
    /// The coded data end here, before all requested MCUs were read.
    case segmentEnd
    /// Bits that are not a code, or a run past the end of a block.
    case damage(JPEGDamage)
  }

  /// Passes `wanted` MCUs, or as many as the window contains, and returns how many and why it
  /// stopped.
  ///
  /// After damage, the position and the predictors are undefined.
  ///
  /// This is the hot loop. The next bits are in the highest positions of `word`; `valid` of them
  /// are certain, those after them are correct or 0, so a refill may set them again. A refill gives
  /// at least 56 bits; a DC code and its value take at most 31, an entry of `ACCode` needs 13 and
  /// takes at most 28. Nothing is checked inside an MCU: the window's tail is longer than any MCU.
  func skip(_ wanted: Int) -> (passed: Int, stop: Stop) {
    let base = UnsafePointer(window.bytes)
    let endBit = window.count * 8
    let lastBit = window.isSegmentEnd ? endBit - 1 : endBit - ScanWindow.margin * 8
    let lookups = UnsafePointer(self.lookups)
    let blockCount = blocks.count
    var passed = 0
    var room = SIMD4<Int32>()
    var bits = Bits(base, at: position)

    while passed < wanted {
      let at = bits.position(from: base)
      if at > lastBit {
        position = at
        if room.isNegative { return (passed, .damage(.dcRange)) }
        return (passed, window.isSegmentEnd ? .segmentEnd : .window)
      }
      var index = 0
      while index < blockCount {
        let block = lookups[index]
        bits.refill()
        var code = UInt64(block.dc[Int(truncatingIfNeeded: bits.word &>> DCCode.indexShift)])
        if code == 0 {
          guard let found = blocks[index].dc.entry(at: bits.word) else {
            position = bits.position(from: base)
            return (passed, .damage(.code))
          }
          code = UInt64(truncatingIfNeeded: found)
        }
        block.predictor.pointee &+= DCCode.difference(code, bits.word)
        bits.take(code)
        if code & 63 > 28 { bits.refill() }

        var reached: UInt64 = 1
        while true {
          var entry = UInt64(block.ac[Int(truncatingIfNeeded: bits.word &>> ACCode.indexShift)])
          bits.take(entry)
          reached &+= entry &>> 8
          if reached < 64 {
            bits.refill()
            entry = UInt64(block.ac[Int(truncatingIfNeeded: bits.word &>> ACCode.indexShift)])
            bits.take(entry)
            reached &+= entry &>> 8
            if reached < 64 { continue }
          }
          // The block has ended: by its end code within 64 coefficients, or by the 64th.
          if reached &- 128 < 64 || reached == 64 { break }
          // One symbol at a time: the code is long, or the entry led past the block.
          let step = oneSymbol(
            at: bits.position(from: base) - Int(truncatingIfNeeded: entry & 63),
            reached: Int(truncatingIfNeeded: reached &- entry &>> 8), of: blocks[index].ac)
          position = step.position
          if let damage = step.damage { return (passed, .damage(damage)) }
          bits = Bits(base, at: position)
          reached = UInt64(truncatingIfNeeded: step.reached)
          if reached >= 64 { break }
        }
        index &+= 1
      }
      room |= roomForDC
      passed &+= 1
    }
    position = bits.position(from: base)
    if position > endBit { return (passed, .segmentEnd) }
    return (passed, room.isNegative ? .damage(.dcRange) : .done)
  }
}

extension SIMD4<Int32> {
  /// Whether any number is negative.
  var isNegative: Bool { (self[0] | self[1] | self[2] | self[3]) < 0 }
}

extension ScanReader {
  /// Skips one AC symbol. It returns the bit position after it, the number of coefficients reached
  /// (more than 64 at the end code), and the damage, if any.
  @inline(never)
  func oneSymbol(
    at position: Int, reached: Int, of code: ACCode
  ) -> (position: Int, reached: Int, damage: JPEGDamage?) {
    let word = Bits(UnsafePointer(window.bytes), at: position).word
    guard let entry = code.entry(at: word) else { return (position, reached, .code) }
    let after = reached + entry >> 8
    let isPast = after > 64 && after < ACCode.endOfBlock
    return (position + entry & 255, after, isPast ? .runPastBlock : nil)
  }
}

/// The next bits of a window, in a CPU register.
struct Bits {
  /// The next bit is the highest one.
  private(set) var word: UInt64
  private var valid: UInt64
  private var next: UnsafePointer<UInt8>

  /// At least 57 bits from bit `position` on.
  @inline(__always)
  init(_ base: UnsafePointer<UInt8>, at position: Int) {
    let start = base + position >> 3
    let shift = UInt64(truncatingIfNeeded: position & 7)
    word = big64(start) &<< shift
    valid = 56 &- shift
    next = start + 7
  }

  /// Loads at least 56 bits.
  @inline(__always)
  mutating func refill() {
    word |= big64(next) &>> valid
    next += Int(truncatingIfNeeded: (63 &- valid) &>> 3)
    valid |= 56
  }

  /// Skips as many bits as the lowest six bits of `entry` state; they must have been loaded.
  @inline(__always)
  mutating func take(_ entry: UInt64) {
    word &<<= entry & 63
    valid &-= entry & 63
  }

  /// The position of the next bit, counted from `base`.
  @inline(__always)
  func position(from base: UnsafePointer<UInt8>) -> Int {
    (next - base) &<< 3 &- Int(truncatingIfNeeded: valid)
  }
}
