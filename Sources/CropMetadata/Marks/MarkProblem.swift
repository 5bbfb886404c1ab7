/// Why numbers that another program keeps beside a photo do not say a crop that can be made here.
public enum MarkProblem: Error, Hashable, Sendable {
  /// The text is not understood.
  case notUnderstood
  /// A value that the crop needs is missing.
  case missing(MarkField)
  /// A value is no number or word that may stand there, or there are several of it.
  case unreadable(MarkField)
  /// A value says that the picture is bent, enlarged or laid down in a way that can't be repeated here.
  case unrepeatable(MarkField)
}

/// A value that another program keeps about the frame of a photo.
public struct MarkField: Hashable, Sendable {
  /// Where the name stands in its program's table.
  let line: Int
  private let table: StaticString

  init(_ line: Int, of table: StaticString) {
    self.line = line
    self.table = table
  }

  /// Fields are equal if they have the same name.
  public static func == (a: Self, b: Self) -> Bool {
    a.line == b.line && a.table.utf8Start == b.table.utf8Start
  }

  /// The same for tables.
  public func hash(into hasher: inout Hasher) { hasher.combine(line) }

  #if !hasFeature(Embedded)
    /// The name as the program writes it, such as `crs:CropTop` or `[Crop] X`.
    public var name: String {
      let lines = String(describing: table).split(separator: "\n")
      return lines.indices.contains(line) ? String(lines[line]) : ""
    }
  #endif
}
