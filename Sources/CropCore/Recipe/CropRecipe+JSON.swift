#if !hasFeature(Embedded)
  /// The JSON form of a recipe:
  ///
  ///     {"version": 1, "rect": {"x": 10, "y": 20, "width": 300, "height": 200},
  ///      "quarterTurns": 0, "mirrored": false, "tilt": 0.0,
  ///      "shape": "rectangle" | "ellipse" | {"roundedRectangle": 24},
  ///      "output": null | {"width": 600, "height": 400} | {"maxSide": 1600}}
  ///
  /// Four corners, clockwise from the one that becomes top-left, need version 2, where they replace `rect`
  /// and `tilt`. Everything else is written as version 1.
  ///
  ///     {"version": 2, "quad": [{"x": 12, "y": 8.5}, {"x": 300, "y": 20},
  ///      {"x": 310, "y": 220}, {"x": 4, "y": 210}], "quarterTurns": 0, "mirrored": false,
  ///      "shape": "rectangle", "output": null}
  ///
  /// Missing keys take the values of ``init(rect:quarterTurns:isMirrored:tilt:shape:output:quad:)``.
  /// An unknown key, at any depth, is an error, so that a misspelt key is never ignored.
  extension CropRecipe: Codable {
    private enum Key: String, CodingKey, CaseIterable {
      case version, rect, quad, quarterTurns, mirrored, tilt, shape, output
    }

    /// Reads the JSON form.
    ///
    /// - Throws: `DecodingError` for a wrong type, an unknown key, a version other than 1 and 2, or
    ///   numbers that are invalid for every image.
    public init(from decoder: any Decoder) throws {
      let fields = try decoder.strictContainer(keyedBy: Key.self)
      let version = try fields.wholeIfPresent(forKey: .version) ?? 1
      let quad = try fields.decodeIfPresent(Quad.self, forKey: .quad)
      guard (1...Self.newestVersion).contains(version) else {
        throw DecodingError.dataCorruptedError(
          forKey: .version, in: fields,
          debugDescription: version > 2
            ? "version \(version) is newer than this program, which reads 1 and 2"
            : "version \(version) is not known; this program reads 1 and 2")
      }
      if quad != nil, version == 1, fields.contains(.version) {
        throw DecodingError.dataCorruptedError(
          forKey: .quad, in: fields, debugDescription: "quad is of version 2; this says version 1")
      }
      self.init(
        rect: try fields.decodeIfPresent(FrameRect.self, forKey: .rect),
        quarterTurns: try fields.wholeIfPresent(forKey: .quarterTurns) ?? 0,
        isMirrored: try fields.decodeIfPresent(Bool.self, forKey: .mirrored) ?? false,
        tilt: CropAngle(degrees: try fields.numberIfPresent(forKey: .tilt) ?? 0),
        shape: try fields.decodeIfPresent(CropShape.self, forKey: .shape) ?? .rectangle,
        output: try fields.decodeIfPresent(OutputSize.self, forKey: .output), quad: quad)
    }

    private static var newestVersion: Int { 2 }

    /// Writes the JSON form with every key of its version, after normalizing the recipe.
    public func encode(to encoder: any Encoder) throws {
      let recipe = normalized()
      var fields = encoder.container(keyedBy: Key.self)
      try fields.encode(recipe.quad == nil ? 1 : 2, forKey: .version)
      if let quad = recipe.quad {
        try fields.encode(quad, forKey: .quad)
      }
      if recipe.quad == nil || recipe.rect != nil {
        try fields.encode(recipe.rect, forKey: .rect)
      }
      try fields.encode(recipe.quarterTurns, forKey: .quarterTurns)
      try fields.encode(recipe.isMirrored, forKey: .mirrored)
      if recipe.quad == nil || recipe.tilt.degrees != 0 {
        try fields.encode(recipe.tilt.degrees, forKey: .tilt)
      }
      try fields.encode(recipe.shape, forKey: .shape)
      try fields.encode(recipe.output, forKey: .output)
    }
  }

  extension Quad: Codable {
    /// Reads a list of four points, `[{"x", "y"}, …]`.
    public init(from decoder: any Decoder) throws {
      let corners = try [QuadCorner](from: decoder).map(\.point)
      guard corners.count == 4 else {
        throw DecodingError.dataCorrupted(
          .init(
            codingPath: decoder.codingPath,
            debugDescription:
              "quad has \(corners.count) corners; use 4, clockwise from the top left"))
      }
      self.init(
        topLeft: corners[0], topRight: corners[1], bottomRight: corners[2], bottomLeft: corners[3])
    }

    /// Writes the form that ``init(from:)`` reads.
    public func encode(to encoder: any Encoder) throws {
      try (0..<4).map { QuadCorner(point: self[$0]) }.encode(to: encoder)
    }
  }

  /// A corner as JSON.
  private struct QuadCorner: Codable {
    let point: FramePoint

    private enum Key: String, CodingKey, CaseIterable { case x, y }

    init(point: FramePoint) { self.point = point }

    init(from decoder: any Decoder) throws {
      let fields = try decoder.strictContainer(keyedBy: Key.self)
      point = FramePoint(x: try fields.number(forKey: .x), y: try fields.number(forKey: .y))
    }

    func encode(to encoder: any Encoder) throws {
      var fields = encoder.container(keyedBy: Key.self)
      try fields.encode(point.x, forKey: .x)
      try fields.encode(point.y, forKey: .y)
    }
  }

  extension FrameRect: Codable where Space == FrameSpace {
    private enum Key: String, CodingKey, CaseIterable {
      case x, y, width, height
    }

    /// Reads `{"x", "y", "width", "height"}`, all four required.
    public init(from decoder: any Decoder) throws {
      let fields = try decoder.strictContainer(keyedBy: Key.self)
      self.init(
        x: try fields.number(forKey: .x),
        y: try fields.number(forKey: .y),
        width: try fields.number(forKey: .width),
        height: try fields.number(forKey: .height))
    }

    /// Writes `{"x", "y", "width", "height"}`.
    public func encode(to encoder: any Encoder) throws {
      var fields = encoder.container(keyedBy: Key.self)
      try fields.encode(x, forKey: .x)
      try fields.encode(y, forKey: .y)
      try fields.encode(width, forKey: .width)
      try fields.encode(height, forKey: .height)
    }
  }

  extension CropShape: Codable {
    private enum Key: String, CodingKey, CaseIterable {
      case roundedRectangle
    }

    /// Reads `"rectangle"`, `"ellipse"` or `{"roundedRectangle": radius}`.
    public init(from decoder: any Decoder) throws {
      if let name = try? decoder.singleValueContainer().decode(String.self) {
        switch name {
        case "rectangle": self = .rectangle
        case "ellipse": self = .ellipse
        default:
          throw DecodingError.dataCorrupted(
            .init(
              codingPath: decoder.codingPath,
              debugDescription:
                "\"\(name)\" is not a shape; use \"rectangle\", \"ellipse\" or {\"roundedRectangle\": 24}"
            ))
        }
      } else {
        let fields = try decoder.strictContainer(keyedBy: Key.self)
        self = .roundedRectangle(radius: try fields.number(forKey: .roundedRectangle))
      }
    }

    /// Writes the form that ``init(from:)`` reads.
    public func encode(to encoder: any Encoder) throws {
      switch self {
      case .rectangle:
        var value = encoder.singleValueContainer()
        try value.encode("rectangle")
      case .ellipse:
        var value = encoder.singleValueContainer()
        try value.encode("ellipse")
      case .roundedRectangle(let radius):
        var fields = encoder.container(keyedBy: Key.self)
        try fields.encode(radius, forKey: .roundedRectangle)
      }
    }
  }

  extension OutputSize: Codable {
    private enum Key: String, CodingKey, CaseIterable {
      case width, height, maxSide
    }

    /// Reads `{"width", "height"}` or `{"maxSide"}`.
    public init(from decoder: any Decoder) throws {
      let fields = try decoder.strictContainer(keyedBy: Key.self)
      if let side = try fields.wholeIfPresent(forKey: .maxSide) {
        guard fields.allKeys.count == 1 else {
          throw DecodingError.dataCorruptedError(
            forKey: .maxSide, in: fields,
            debugDescription: "output takes either width and height or maxSide")
        }
        self = .maxSide(side)
      } else {
        self = .exact(
          width: try fields.whole(forKey: .width),
          height: try fields.whole(forKey: .height))
      }
    }

    /// Writes the form that ``init(from:)`` reads.
    public func encode(to encoder: any Encoder) throws {
      var fields = encoder.container(keyedBy: Key.self)
      switch self {
      case .exact(let width, let height):
        try fields.encode(width, forKey: .width)
        try fields.encode(height, forKey: .height)
      case .maxSide(let side):
        try fields.encode(side, forKey: .maxSide)
      }
    }
  }

  // Decoders report numbers that they can't represent in different ways, some as invalid JSON; this
  // makes the error uniform.
  extension KeyedDecodingContainer {
    fileprivate func numberIfPresent(forKey key: Key) throws -> Double? {
      do {
        return try decodeIfPresent(Double.self, forKey: key)
      } catch DecodingError.dataCorrupted {
        throw tooLarge(key)
      } catch let error as DecodingError {
        throw error
      } catch {
        throw tooLarge(key)
      }
    }

    func wholeIfPresent(forKey key: Key) throws -> Int? {
      guard let number = try numberIfPresent(forKey: key) else { return nil }
      guard number == number.rounded(.down) else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: self, debugDescription: "\(number) is not a whole number")
      }
      guard let whole = Int(exactly: number) else { throw tooLarge(key) }
      return whole
    }

    fileprivate func number(forKey key: Key) throws -> Double {
      try numberIfPresent(forKey: key) ?? decode(Double.self, forKey: key)
    }

    /// The whole number for a key, whatever its form in JSON, such as `3` or `3.0`.
    ///
    /// - Throws: `DecodingError` with the path, for any other value.
    package func whole(forKey key: Key) throws -> Int {
      try wholeIfPresent(forKey: key) ?? decode(Int.self, forKey: key)
    }

    private func tooLarge(_ key: Key) -> DecodingError {
      .dataCorruptedError(forKey: key, in: self, debugDescription: "the number is too large")
    }
  }
#endif
