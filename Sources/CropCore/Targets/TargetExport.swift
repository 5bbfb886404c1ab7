#if !hasFeature(Embedded)
  /// A text file that is written in addition to the files of a photo's targets, for a page or
  /// system that shows them.
  public enum TargetExport: String, CaseIterable, Sendable {
    /// A `<picture>` element that shows the target whose ratio is nearest to the window's.
    case html
    /// A CSS rule per target that shows the complete photo cropped to it.
    case objectPosition = "object-position"
    /// The crop and hotspot of each target.
    case sanity
    /// The crop variants of the photo.
    case typo3

    /// The data of one target.
    public struct Entry: Hashable, Sendable {
      /// The target's name.
      public let name: String
      /// The crop of the target.
      public let crop: ResolvedCrop
      /// The part that the crop should keep; nil for the center.
      public let focus: FocusBox?
      /// The name of the target's file.
      public let file: String
      /// The file's size in pixels.
      public let size: FrameSize
      /// How the photo is fitted to the target's ratio.
      public let fit: PhotoTarget.Fit

      /// The data of one target.
      public init(
        name: String, crop: ResolvedCrop, focus: FocusBox?, file: String, size: FrameSize,
        fit: PhotoTarget.Fit = .cover
      ) {
        self.name = name
        self.crop = crop
        self.focus = focus
        self.file = file
        self.size = size
        self.fit = fit
      }
    }
  }

  extension TargetExport {
    /// The version whose documentation the text follows.
    public var version: String {
      switch self {
      case .html: "HTML Living Standard"
      case .objectPosition: "CSS Images Level 3"
      case .sanity: Self.exporter(.sanity)?.version ?? ""
      case .typo3: Self.exporter(.typo3)?.version ?? ""
      }
    }

    /// The end of the text file's name, which starts with the photo's name without its extension.
    public var suffix: String {
      switch self {
      case .html: ".html"
      case .objectPosition: ".css"
      case .sanity: ".sanity.json"
      case .typo3: ".typo3.json"
      }
    }

    /// The text for the targets of the photo in the file with the given name.
    ///
    /// - Throws: the first feature of a crop that the format can't express.
    public func text(
      for entries: [Entry], of photo: String
    ) throws(CropExporterError) -> String {
      switch self {
      case .html: return Self.page(entries)
      case .objectPosition:
        var text = "/* \(version) */\n"
        for entry in entries { text += try Self.rule(for: entry, photo) + "\n" }
        return text
      case .sanity, .typo3:
        var parts: [String] = []
        for entry in entries {
          let text = try Self.exporter(self)?.text(for: entry.crop, focus: entry.focus) ?? ""
          parts.append("    \(Self.quoted(entry.name)): \(text)")
        }
        let key = self == .sanity ? "images" : "cropVariants"
        return "{\n  \"follows\": \(Self.quoted(version)),\n  \"\(key)\": {\n"
          + parts.joined(separator: ",\n") + "\n  }\n}\n"
      }
    }

    private static func exporter(_ export: Self) -> CropExporter? {
      CropExporter(name: export.rawValue)
    }

    /// The text as a JSON string literal.
    private static func quoted(_ text: String) -> String {
      var result = "\""
      for scalar in text.unicodeScalars {
        switch scalar {
        case "\"", "\\": result += "\\\(scalar)"
        case _ where scalar.value < 0x20:
          let digits = String(scalar.value, radix: 16)
          result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        default: result.unicodeScalars.append(scalar)
        }
      }
      return result + "\""
    }
  }
#endif
