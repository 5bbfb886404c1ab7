#if !hasFeature(Embedded)
  /// The JSON form of a document, version 1:
  ///
  ///     {"version": 1, "picture": {"quarterTurns": 0, "mirrored": false, "tilt": 0.0},
  ///      "focus": {"x": 0.4, "y": 0.2, "width": 0.1, "height": 0.2} | null,
  ///      "targets": [{"name": "story", "ratio": "9:16", "minimum": {"width": 1080, "height": 1920}},
  ///                  {"name": "link", "size": {"width": 1200, "height": 630}, "recipe": {…}},
  ///                  {"name": "passport", "size": "35x45mm", "dpi": 600, "bleed": "3mm"}]}
  ///
  /// The focus is in fractions of the upright image; without a size, it is a point. Missing keys
  /// have the values of ``init(picture:focus:targets:)``. An unknown key, at any depth, is an
  /// error.
  extension TargetDocument: Codable {
    private enum Key: String, CodingKey, CaseIterable { case version, picture, focus, targets }

    /// Reads the JSON form.
    ///
    /// - Throws: `DecodingError` for a wrong type, an unknown key, a version other than 1, a focus
    ///   outside the image, a duplicate name, or a recipe with another orientation or tilt.
    public init(from decoder: any Decoder) throws {
      let fields = try decoder.strictContainer(keyedBy: Key.self)
      let version = try fields.decodeIfPresent(Int.self, forKey: .version) ?? 1
      guard version == 1 else {
        throw DecodingError.dataCorruptedError(
          forKey: .version, in: fields,
          debugDescription: "version \(version) is not known; this program reads version 1")
      }
      self.init(
        picture: try fields.decodeIfPresent(PictureTransform.self, forKey: .picture)
          ?? PictureTransform(),
        focus: try fields.decodeIfPresent(FocusBox.self, forKey: .focus),
        targets: try fields.decodeIfPresent([PhotoTarget].self, forKey: .targets) ?? [])
      for (index, target) in targets.enumerated() {
        let problem: String
        if targets[..<index].contains(where: { $0.name == target.name }) {
          problem = "the name \"\(target.name)\" occurs twice"
        } else if let recipe = target.recipe,
          recipe.orientation != picture.orientation || recipe.tilt != picture.tilt
        {
          problem =
            "\"\(target.name)\" has a recipe with another turn, mirror or tilt than \"picture\""
        } else {
          continue
        }
        throw DecodingError.dataCorruptedError(
          forKey: .targets, in: fields, debugDescription: problem)
      }
    }

    /// Writes the JSON form with every key.
    public func encode(to encoder: any Encoder) throws {
      var fields = encoder.container(keyedBy: Key.self)
      try fields.encode(1, forKey: .version)
      try fields.encode(picture, forKey: .picture)
      try fields.encode(focus, forKey: .focus)
      try fields.encode(targets, forKey: .targets)
    }
  }

  extension PictureTransform: Codable {
    private enum Key: String, CodingKey, CaseIterable { case quarterTurns, mirrored, tilt }

    /// Reads `{"quarterTurns", "mirrored", "tilt"}`, all optional.
    public init(from decoder: any Decoder) throws {
      let fields = try decoder.strictContainer(keyedBy: Key.self)
      let tilt = try fields.decodeIfPresent(Double.self, forKey: .tilt) ?? 0
      guard abs(tilt) <= CropRecipe.largestTilt.degrees else {
        throw DecodingError.dataCorruptedError(
          forKey: .tilt, in: fields, debugDescription: "a tilt is -45 to 45 degrees")
      }
      self.init(
        orientation: Orientation(
          isMirrored: try fields.decodeIfPresent(Bool.self, forKey: .mirrored) ?? false,
          quarterTurns: try fields.decodeIfPresent(Int.self, forKey: .quarterTurns) ?? 0),
        tilt: CropAngle(degrees: tilt))
    }

    /// Writes all three keys.
    public func encode(to encoder: any Encoder) throws {
      var fields = encoder.container(keyedBy: Key.self)
      try fields.encode(orientation.quarterTurns, forKey: .quarterTurns)
      try fields.encode(orientation.isMirrored, forKey: .mirrored)
      try fields.encode(tilt.degrees, forKey: .tilt)
    }
  }

  extension FocusBox: Codable {
    private enum Key: String, CodingKey, CaseIterable { case x, y, width, height }

    /// Reads `{"x", "y", "width", "height"}`; `width` and `height` are optional.
    public init(from decoder: any Decoder) throws {
      let fields = try decoder.strictContainer(keyedBy: Key.self)
      let box = FocusBox(
        x: try fields.decode(Double.self, forKey: .x),
        y: try fields.decode(Double.self, forKey: .y),
        width: try fields.decodeIfPresent(Double.self, forKey: .width) ?? 0,
        height: try fields.decodeIfPresent(Double.self, forKey: .height) ?? 0)
      guard let box else {
        throw DecodingError.dataCorruptedError(
          forKey: .x, in: fields,
          debugDescription: "the focus is outside the image; use 0 to 1 both ways")
      }
      self = box
    }

    /// Writes all four keys.
    public func encode(to encoder: any Encoder) throws {
      try FrameRect(x: x, y: y, width: width, height: height).encode(to: encoder)
    }
  }

  extension PhotoTarget: Codable {
    private enum Key: String, CodingKey, CaseIterable {
      case name, ratio, size, dpi, bleed, minimum, recipe, fit, margin, place, fill
    }

    /// Reads `{"name", "ratio": "W:H" | "size": {"width", "height"} | "size": "35x45mm", "minimum",
    /// "recipe", "fit"}`, for a size on paper `"dpi"` and `"bleed"` (such as `"3mm"`), and for a
    /// contained crop `"margin"` (a text or a number of pixels), `"place"` and `"fill"`.
    public init(from decoder: any Decoder) throws {
      let fields = try decoder.strictContainer(keyedBy: Key.self)
      let text = try fields.decodeIfPresent(String.self, forKey: .ratio)
      let size = try Self.size(in: fields)
      let requirement: Requirement
      switch (text, size) {
      case (let text?, nil):
        guard let ratio = AspectRatio(text: text) else {
          throw DecodingError.dataCorruptedError(
            forKey: .ratio, in: fields,
            debugDescription: "\"\(text)\" is not a ratio; write it like \"16:9\"")
        }
        requirement = .ratio(ratio)
      case (nil, let size?): requirement = size
      default:
        throw DecodingError.dataCorruptedError(
          forKey: .ratio, in: fields, debugDescription: "a target has either a ratio or a size")
      }
      self.init(
        name: try fields.decode(String.self, forKey: .name), requirement: requirement,
        minimum: try fields.decodeIfPresent(TargetSize.self, forKey: .minimum)?.size,
        recipe: try fields.decodeIfPresent(CropRecipe.self, forKey: .recipe),
        fit: try Self.read(.fit, in: fields, expected: "cover or contain") { Fit(rawValue: $0) }
          ?? .cover,
        margin: try Self.read(.margin, in: fields, expected: "pixels or a share, such as 40 or 5%")
        {
          CropLength(text: $0)
        },
        place: try Self.read(.place, in: fields, expected: "center or a compass point") {
          Gravity(rawValue: $0)
        },
        fill: try Self.read(.fill, in: fields, expected: "a color, transparent, edge or blur") {
          CanvasFill(text: $0)
        })
      for key in [Key.margin, .place, .fill] where fit != .contain && fields.contains(key) {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: fields,
          debugDescription: "\"\(key.stringValue)\" is for targets with \"fit\": \"contain\"")
      }
    }

    /// The size in pixels, or on paper with its density and bleed; nil if there is none.
    private static func size(in fields: KeyedDecodingContainer<Key>) throws -> Requirement? {
      let print = try? fields.decodeIfPresent(String.self, forKey: .size)
      guard let print else {
        for key in [Key.dpi, .bleed] where fields.contains(key) {
          throw DecodingError.dataCorruptedError(
            forKey: key, in: fields,
            debugDescription: "\"\(key.stringValue)\" is for a \"size\" in mm, cm or in")
        }
        return try fields.decodeIfPresent(TargetSize.self, forKey: .size).map { .size($0.size) }
      }
      guard let size = PrintSize(text: print) else {
        throw DecodingError.dataCorruptedError(
          forKey: .size, in: fields,
          debugDescription: "\"\(print)\" is not a size on paper; write it like \"35x45mm\"")
      }
      let dpi = try fields.wholeIfPresent(forKey: .dpi)
      guard dpi.map(CropPrint.densities.contains) ?? true else {
        throw DecodingError.dataCorruptedError(
          forKey: .dpi, in: fields,
          debugDescription: "a density is \(CropPrint.densities.lowerBound) to "
            + "\(CropPrint.densities.upperBound) pixels per inch")
      }
      let bleed = try read(.bleed, in: fields, expected: "a length, such as 3mm") {
        PrintLength(text: $0)
      }
      return .print(CropPrint(size, bleed: bleed, dpi: dpi))
    }

    private static func read<Value>(
      _ key: Key, in fields: KeyedDecodingContainer<Key>, expected: String,
      _ read: (String) -> Value?
    ) throws -> Value? {
      let text =
        try key == .margin
        ? fields.lengthTextIfPresent(forKey: key)
        : fields.decodeIfPresent(String.self, forKey: key)
      guard let text else { return nil }
      guard let value = read(text) else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: fields,
          debugDescription: "\"\(text)\" is not understood; expected \(expected)")
      }
      return value
    }

    /// Writes the form that ``init(from:)`` reads. It leaves out nil values, and `fit` if it is
    /// `cover`.
    public func encode(to encoder: any Encoder) throws {
      var fields = encoder.container(keyedBy: Key.self)
      try fields.encode(name, forKey: .name)
      switch requirement {
      case .ratio(let ratio): try fields.encode("\(ratio.width):\(ratio.height)", forKey: .ratio)
      case .size(let size): try fields.encode(TargetSize(size: size), forKey: .size)
      case .print(let print):
        try fields.encode(print.size.text, forKey: .size)
        try fields.encodeIfPresent(print.dpi, forKey: .dpi)
        try fields.encodeIfPresent(print.bleed?.text, forKey: .bleed)
      }
      try fields.encodeIfPresent(minimum.map { TargetSize(size: $0) }, forKey: .minimum)
      try fields.encodeIfPresent(recipe, forKey: .recipe)
      guard fit == .contain else { return }
      try fields.encode(fit.rawValue, forKey: .fit)
      try fields.encodeIfPresent(margin?.text, forKey: .margin)
      try fields.encodeIfPresent(place?.rawValue, forKey: .place)
      try fields.encodeIfPresent(fill?.text, forKey: .fill)
    }
  }

  /// Reads and writes `{"width", "height"}`, each at least 1.
  private struct TargetSize: Codable {
    let size: FrameSize

    init(size: FrameSize) { self.size = size }

    private enum Key: String, CodingKey, CaseIterable { case width, height }

    init(from decoder: any Decoder) throws {
      let fields = try decoder.strictContainer(keyedBy: Key.self)
      let (width, height) = (
        try fields.whole(forKey: .width), try fields.whole(forKey: .height)
      )
      let valid = 1...RecipeError.largestOutputSide
      guard valid.contains(width), valid.contains(height) else {
        throw DecodingError.dataCorruptedError(
          forKey: .width, in: fields, debugDescription: "a size is 1 to \(valid.upperBound) a side")
      }
      size = FrameSize(width: width, height: height)
    }

    func encode(to encoder: any Encoder) throws {
      var fields = encoder.container(keyedBy: Key.self)
      try fields.encode(size.width, forKey: .width)
      try fields.encode(size.height, forKey: .height)
    }
  }
#endif
