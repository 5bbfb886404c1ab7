#if !hasFeature(Embedded)
  /// A program or server that cuts pictures and takes its parameters as text.
  ///
  ///     let crop = try recipe.resolved(for: ImageSize(width: 600, height: 400))
  ///     let text = try CropExporter(name: "thumbor")?.text(for: crop)  // "10x20:310x220"
  ///
  /// All lay the stored pixels down by their EXIF orientation first, as a recipe has it. What is given for
  /// each is in `Web/exporters.json`, of which the page has the same.
  public struct CropExporter: Sendable {
    /// The name by which it is chosen, such as `sharp`.
    public let name: String
    /// The version whose documentation the text follows, and what must be set there.
    public let version: String
    let joint: String
    /// The conditions under which a step is written, and its text with names of numbers in braces.
    let steps: [(conditions: String, text: String)]
    /// The conditions under which it can't do what is asked, and what that is.
    let lacks: [(conditions: String, what: String)]

    /// The exporter of a name; nil where there is none.
    public init?(name: String) {
      guard let found = Self.all.first(where: { $0.name == name }) else { return nil }
      self = found
    }

    init(
      name: String, version: String, joint: String, steps: [(conditions: String, text: String)],
      lacks: [(conditions: String, what: String)]
    ) {
      self.name = name
      self.version = version
      self.joint = joint
      self.steps = steps
      self.lacks = lacks
    }
  }

  /// What an exporter can't do of a crop.
  public struct CropExporterError: Error, Hashable, Sendable {
    /// The exporter's name.
    public let exporter: String
    /// What it can't do, as a verb: "tilt".
    public let what: String
  }

  extension CropExporter {
    /// The parameters that give the same result there; files are called `INPUT` and `OUTPUT`.
    ///
    /// - Parameters:
    ///   - crop: what to cut.
    ///   - orientation: how the file's pixels are laid down upright, its EXIF flag.
    ///   - focus: what the crop should hold, for systems that cut further by it.
    /// - Throws: what it can't do.
    public func text(
      for crop: ResolvedCrop, stored orientation: Orientation = .up, focus: FocusBox? = nil
    ) throws(CropExporterError) -> String {
      let shares = crop.imageRect.map { ExportedShares($0, of: crop.image, focus: focus) }
      var holding = Self.conditions(of: crop, stored: orientation)
      if shares?.kept != nil { holding.insert("focus") }
      func hold(_ conditions: String) -> Bool {
        conditions.split(separator: " ").allSatisfy {
          $0.hasPrefix("!")
            ? !holding.contains(String($0.dropFirst())) : holding.contains(String($0))
        }
      }
      if let lack = lacks.first(where: { hold($0.conditions) }) {
        throw CropExporterError(exporter: name, what: lack.what)
      }
      let numbers = Self.numbers(of: crop).merging(shares?.numbers ?? [:]) { first, _ in first }
      let written = steps.filter { hold($0.conditions) }
      return written.enumerated().map { index, step in
        var names = numbers
        names["in"] = index == 0 ? "INPUT" : "\(index).v"
        names["out"] = index == written.count - 1 ? "OUTPUT" : "\(index + 1).v"
        return Self.filled(step.text, names)
      }.joined(separator: joint)
    }

    private static func conditions(
      of crop: ResolvedCrop, stored: Orientation
    ) -> Set<String> {
      var found: Set<String> = []
      let whole = PixelRect<ImageSpace>(
        x: 0, y: 0, width: crop.image.width, height: crop.image.height)
      if crop.imageRect != whole { found.insert("cut") }
      if crop.orientation.isMirrored { found.insert("mirror") }
      if crop.orientation.quarterTurns != 0 { found.insert("turn") }
      if crop.orientation.isTransposing { found.insert("transpose") }
      if crop.output != crop.rectSize { found.insert("resize") }
      if crop.tilt.degrees != 0 { found.insert("tilt") }
      if crop.quad != nil { found.insert("quad") }
      if stored.isMirrored { found.insert("storedMirrored") }
      switch crop.shape {
      case .rectangle: break
      case .ellipse: found.insert("ellipse")
      case .roundedRectangle: found.insert("rounded")
      }
      return found
    }

    private static func numbers(of crop: ResolvedCrop) -> [String: String] {
      let drawing = crop.drawing
      let degrees = crop.orientation.quarterTurns * 90
      let unturned = crop.orientation.isTransposing ? crop.output.transposed : crop.output
      var whole = [
        "pictureWidth": crop.image.width, "pictureHeight": crop.image.height,
        "outputWidth": crop.output.width, "outputHeight": crop.output.height,
        "unturnedWidth": unturned.width, "unturnedHeight": unturned.height,
        "degrees": degrees, "degreesBack": 360 - degrees,
      ]
      if let part = crop.imageRect {
        whole["left"] = part.x
        whole["top"] = part.y
        whole["width"] = part.width
        whole["height"] = part.height
        whole["right"] = part.x + part.width
        whole["bottom"] = part.y + part.height
      }
      let others = [
        "frameLeft": crop.rect.x, "frameTop": crop.rect.y,
        "frameWidth": crop.rect.width, "frameHeight": crop.rect.height,
        "a": drawing.map.a, "b": drawing.map.b, "c": drawing.map.c, "d": drawing.map.d,
        "e": drawing.map.tx, "f": drawing.map.ty,
        "cornerWidth": drawing.cornerWidth, "cornerHeight": drawing.cornerHeight,
      ]
      return whole.mapValues(String.init).merging(others.mapValues(decimal)) { first, _ in first }
    }

    /// The text with each name in braces replaced by its number; other braces stay.
    private static func filled(_ text: String, _ numbers: [String: String]) -> String {
      var result = ""
      var rest = text[...]
      while let open = rest.firstIndex(of: "{") {
        result += rest[..<open]
        rest = rest[open...]
        if let close = rest.firstIndex(of: "}"),
          let number = numbers[String(rest[rest.index(after: open)..<close])]
        {
          result += number
          rest = rest[rest.index(after: close)...]
        } else {
          result += rest[...open]
          rest = rest[rest.index(after: open)...]
        }
      }
      return result + rest
    }

    /// The number to six decimals at most, without an exponent.
    static func decimal(_ value: Double) -> String {
      let millionths = (abs(value) * 1e6).rounded(.toNearestOrAwayFromZero)
      guard let count = Int64(exactly: millionths), count != 0 else { return "0" }
      var digits = String(count % 1_000_000)
      digits = String(repeating: "0", count: 6 - digits.count) + digits
      while digits.hasSuffix("0") { digits.removeLast() }
      let text = String(count / 1_000_000) + (digits.isEmpty ? "" : "." + digits)
      return value < 0 ? "-" + text : text
    }
  }
#endif
