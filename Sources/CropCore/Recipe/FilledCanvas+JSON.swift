#if !hasFeature(Embedded)
  /// The JSON form. Keys and values are those of the options of a result:
  ///
  ///     {"canvas": "1:1", "margin": "5%", "place": "center", "fill": "#ffffff"}
  ///
  /// The margin is a text or, in pixels, a number: `"5%"`, `"40"` or `40`. Without `canvas`, the
  /// canvas is as large as the crop plus the margin. The example shows the defaults of the other
  /// keys, except that the margin defaults to 0.
  extension FilledCanvas: Codable {
    private enum Key: String, CodingKey, CaseIterable { case canvas, margin, place, fill }

    /// Reads the JSON form.
    ///
    /// - Throws: `DecodingError` for an unknown key, which it names, or a wrong type or value.
    public init(from decoder: any Decoder) throws {
      let fields = try decoder.strictContainer(keyedBy: Key.self)
      func read<Value>(_ key: Key, _ usual: Value, _ read: (String) -> Value?) throws -> Value {
        let text =
          try key == .margin
          ? fields.lengthTextIfPresent(forKey: key)
          : fields.decodeIfPresent(String.self, forKey: key)
        guard let text else { return usual }
        guard let value = read(text) else {
          throw DecodingError.dataCorruptedError(
            forKey: key, in: fields, debugDescription: "\"\(text)\" is not understood")
        }
        return value
      }
      let canvas = CropCanvas(
        extent: try read(.canvas, .crop) { CropCanvas.Extent(text: $0) },
        margin: try read(.margin, .pixels(0)) { CropLength(text: $0) },
        gravity: try read(.place, .center) { Gravity(rawValue: $0) })
      self.init(canvas, fill: try read(.fill, .color(.white)) { CanvasFill(text: $0) })
    }

    /// Writes every key, but leaves out `canvas` if there is none.
    public func encode(to encoder: any Encoder) throws {
      var fields = encoder.container(keyedBy: Key.self)
      try fields.encodeIfPresent(canvas.extent.text, forKey: .canvas)
      try fields.encode(canvas.margin.text, forKey: .margin)
      try fields.encode(canvas.gravity.rawValue, forKey: .place)
      try fields.encode(fill.text, forKey: .fill)
    }
  }

  extension CropCanvas.Extent {
    /// The ratio or size, in the form that ``init(text:)`` reads; nil for the size of the crop plus
    /// the margin.
    package var text: String? {
      switch self {
      case .crop: nil
      case .ratio(let ratio): "\(ratio.width):\(ratio.height)"
      case .size(let size): "\(size.width)x\(size.height)"
      }
    }
  }

  extension CropLength {
    /// The length, in the form that ``init(text:)`` reads.
    package var text: String {
      switch self {
      case .pixels(let count): Int(exactly: count).map { "\($0)" } ?? "\(count)"
      case .percent(let share): Int(exactly: share).map { "\($0)%" } ?? "\(share)%"
      }
    }
  }
#endif
