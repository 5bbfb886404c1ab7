// Parsers of options, as bytes of UTF-8, since WebAssembly modules have no strings.

extension QuadSize {
  /// Parses `a4`, `letter`, `square`, `sheet` or a ratio such as `3:2`; nil for anything else.
  public init?(utf8 text: [UInt8]) {
    var reader = TextReader(text)
    if reader.take("a4") {
      self = .a4
    } else if reader.take("letter") {
      self = .letter
    } else if reader.take("square") {
      self = .ratio(.square)
    } else if reader.take("sheet") {
      self = .sheet
    } else {
      // A single number could also be a side in pixels.
      guard text.contains(UInt8(ascii: ":")) || text.contains(UInt8(ascii: "/")),
        let ratio = AspectRatio(utf8: text)
      else { return nil }
      self = .ratio(ratio)
      return
    }
    guard reader.isAtEnd else { return nil }
  }
}

extension FocusBox {
  /// Parses `X,Y` or `X,Y,W,H` in fractions or percent of the sides; nil for anything else, and for
  /// a focus that is not inside the image.
  public init?(utf8 text: [UInt8]) {
    guard let numbers = CropLength.fractions(TextReader(text)) else { return nil }
    switch numbers.count {
    case 2: self.init(x: numbers[0], y: numbers[1])
    case 4: self.init(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    default: return nil
    }
  }
}

extension Gravity {
  /// Parses `center`, `north`, `northeast` and so on; nil for anything else.
  public init?(utf8 text: [UInt8]) {
    for gravity in Self.allCases {
      var reader = TextReader(text)
      if reader.take(gravity.name), reader.isAtEnd {
        self = gravity
        return
      }
    }
    return nil
  }

  private var name: StaticString {
    switch self {
    case .center: "center"
    case .north: "north"
    case .northeast: "northeast"
    case .east: "east"
    case .southeast: "southeast"
    case .south: "south"
    case .southwest: "southwest"
    case .west: "west"
    case .northwest: "northwest"
    }
  }
}
