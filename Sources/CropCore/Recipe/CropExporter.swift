#if !hasFeature(Embedded)
  /// An image program or service that takes its crop parameters as text.
  ///
  ///     let crop = try recipe.resolved(for: ImageSize(width: 600, height: 400))
  ///     let text = try CropExporter(name: "thumbor")?.text(for: crop)  // "10x20:310x220"
  ///
  /// Each of them applies the EXIF orientation first, as a recipe does. `Web/exporters.json` lists
  /// the parameters of each; the page uses the same file.
  public struct CropExporter: Sendable {
    /// The identifier, such as `sharp`.
    public let name: String
    /// The version whose documentation the text follows, and the settings that it requires.
    public let version: String
    let joint: String
    /// The text of each step, with names of numbers in braces, and the conditions under which it is
    /// written.
    let steps: [(conditions: String, text: String)]
    /// The conditions under which the exporter can't express the crop, and the unsupported feature.
    let lacks: [(conditions: String, what: String)]

    /// The exporter with the given name; nil if there is none.
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

  /// A feature of a crop that an exporter can't express.
  public struct CropExporterError: Error, Hashable, Sendable {
    /// The exporter's name.
    public let exporter: String
    /// What the exporter can't do, as a verb: "tilt".
    public let what: String
  }

  extension CropExporter {
    /// The parameters that produce the same result. Files are called `INPUT` and `OUTPUT` in it.
    ///
    /// - Parameters:
    ///   - crop: the crop to express.
    ///   - orientation: the EXIF orientation of the file.
    ///   - focus: the part that should stay visible, for systems that crop further.
    /// - Throws: the first feature that the exporter can't express.
    public func text(
      for crop: ResolvedCrop, stored orientation: Orientation = .up, focus: FocusBox? = nil
    ) throws(CropExporterError) -> String {
      let exported = ExportedCrop(crop, stored: orientation, focus: focus)
      let bits = exported.conditions
      let holding = Set(
        ExportCondition.allCases.filter { bits >> $0.rawValue & 1 == 1 }.map(\.name))
      func hold(_ conditions: String) -> Bool {
        conditions.split(separator: " ").allSatisfy {
          $0.hasPrefix("!")
            ? !holding.contains(String($0.dropFirst())) : holding.contains(String($0))
        }
      }
      if let lack = lacks.first(where: { hold($0.conditions) }) {
        throw CropExporterError(exporter: name, what: lack.what)
      }
      var numbers: [String: String] = [:]
      exported.tell { numbers[ExportNumber.allCases[numbers.count].name] = Self.decimal($0) }
      let written = steps.filter { hold($0.conditions) }
      return written.enumerated().map { index, step in
        var names = numbers
        names["in"] = index == 0 ? "INPUT" : "\(index).v"
        names["out"] = index == written.count - 1 ? "OUTPUT" : "\(index + 1).v"
        return Self.filled(step.text, names)
      }.joined(separator: joint)
    }

    /// The text with each known name in braces replaced by its number; other braces are kept.
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

    /// The number with at most six decimals, without an exponent.
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
