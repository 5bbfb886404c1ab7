#if !hasFeature(Embedded)
  extension TargetExport {
    /// A `<picture>` element in which a window shows the target whose ratio is nearest to its own.
    /// Targets of the same ratio are sizes of one image.
    ///
    ///     ratios      0.8        1            1.78
    ///     windows   ──────┼──────────┼──────────────
    ///                  √(0.8·1)   √(1·1.78)
    static func page(_ entries: [Entry]) -> String {
      let groups = groups(entries)
      var lines = ["<!-- HTML Living Standard -->", "<picture>"]
      for (group, next) in zip(groups, groups.dropFirst()) {
        let limit = (ratio(group[0]) * ratio(next[0])).squareRoot()
        let terms = "\(Int((limit * 1000).rounded()))/1000"
        lines.append(
          "  <source media=\"(max-aspect-ratio: \(terms))\" srcset=\"\(sources(group))\" "
            + "sizes=\"100vw\" \(size(group)) />")
      }
      if let last = groups.last, let largest = last.last {
        lines.append(
          "  <img src=\"\(address(largest.file))\" srcset=\"\(sources(last))\" sizes=\"100vw\" "
            + "\(size(last)) alt=\"\" />")
      }
      return (lines + ["</picture>", ""]).joined(separator: "\n")
    }

    /// Entries grouped by ratio, from the tallest to the widest; in each group, the smallest first.
    private static func groups(_ entries: [Entry]) -> [[Entry]] {
      var groups: [[Entry]] = []
      for entry in entries.sorted(by: { (ratio($0), $0.size.width) < (ratio($1), $1.size.width) }) {
        // Whole pixels preserve a ratio to about one percent.
        if let first = groups.last?.first, ratio(entry) < ratio(first) * 1.01 {
          groups[groups.count - 1].append(entry)
        } else {
          groups.append([entry])
        }
      }
      return groups.map { group in group.sorted { $0.size.width < $1.size.width } }
    }

    private static func ratio(_ entry: Entry) -> Double {
      Double(entry.size.width) / Double(max(1, entry.size.height))
    }

    private static func sources(_ group: [Entry]) -> String {
      group.map { "\(address($0.file)) \($0.size.width)w" }.joined(separator: ", ")
    }

    private static func size(_ group: [Entry]) -> String {
      let size = group.last?.size ?? FrameSize(width: 0, height: 0)
      return "width=\"\(size.width)\" height=\"\(size.height)\""
    }

    /// The name of a file as a relative URL without characters that are special in HTML and CSS.
    private static func address(_ file: String) -> String {
      var result = ""
      for byte in file.utf8 {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
          UInt8(ascii: "."):
          result.unicodeScalars.append(Unicode.Scalar(byte))
        default:
          let digits = String(byte, radix: 16, uppercase: true)
          result += "%" + (digits.count < 2 ? "0" : "") + digits
        }
      }
      return result
    }
  }

  extension TargetExport {
    /// A CSS rule that shows the complete photo cropped like the target.
    ///
    /// `cover` shows the largest part of the box's ratio; `object-position` is the share of the
    /// remaining space that is on the left and at the top.
    ///
    /// - Throws: an error if the crop is not such a part.
    static func rule(for entry: Entry, _ photo: String) throws(CropExporterError) -> String {
      func refused(_ what: String) -> CropExporterError {
        CropExporterError(exporter: objectPosition.rawValue, what: "\(what) \(entry.name)")
      }
      let crop = entry.crop
      guard let part = crop.imageRect, crop.orientation == .up else {
        throw refused("turn, mirror or tilt the photo, as it is for")
      }
      guard crop.shape == .rectangle else { throw refused("mask the photo, as it is for") }
      if entry.fit == .contain {
        guard crop.rect == crop.frame.bounds else {
          throw refused("show a part of the photo, as for")
        }
        return """
          img.\(identifier(entry.name)) {
            aspect-ratio: \(entry.size.width) / \(entry.size.height);
            object-fit: contain;
          }
          """
      }
      let ratio = crop.rect.width / crop.rect.height
      let (width, height) = (Double(crop.image.width), Double(crop.image.height))
      let shown = (width: min(width, height * ratio), height: min(height, width / ratio))
      // Ratios are met in whole steps, so the crop may be smaller than the shown part by less than
      // one step.
      let found = AspectRatio(part.width, part.height) ?? .square
      let step = found.isExact ? found : .square
      guard shown.width - Double(part.width) < Double(step.width),
        shown.height - Double(part.height) < Double(step.height)
      else { throw refused("enlarge a smaller part, as it is cut for") }
      let x = share(Double(part.x) + Double(part.width) / 2, shown.width, of: width)
      let y = share(Double(part.y) + Double(part.height) / 2, shown.height, of: height)
      return """
        img.\(identifier(entry.name)) {
          aspect-ratio: \(crop.output.width) / \(crop.output.height);
          object-fit: cover;
          object-position: \(CropExporter.decimal(x * 100))% \(CropExporter.decimal(y * 100))%;
        }
        """
    }

    /// The share of the remaining space that is before a part of this length, centered on `center`
    /// if possible.
    private static func share(_ center: Double, _ length: Double, of whole: Double) -> Double {
      let left = whole - length
      return left > 1e-9 ? min(max((center - length / 2) / left, 0), 1) : 0.5
    }

    /// The name as a CSS class: characters other than letters, digits, dashes and underscores are
    /// escaped.
    private static func identifier(_ name: String) -> String {
      var result = ""
      for scalar in name.unicodeScalars {
        let isPlain =
          ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || scalar == "_"
          || scalar.value >= 0x80 || (!result.isEmpty && (scalar == "-" || isDigit(scalar)))
        result += isPlain ? String(scalar) : "\\\(String(scalar.value, radix: 16)) "
      }
      return result
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
  }
#endif
