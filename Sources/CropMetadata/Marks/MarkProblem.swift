/// Why a crop of another program can't be read or reproduced.
public enum MarkProblem: Error, Hashable, Sendable {
  /// The text is not in the expected format.
  case notUnderstood
  /// A value that the crop needs is missing.
  case missing(MarkField)
  /// A value is not a valid number or keyword, or occurs more than once.
  case unreadable(MarkField)
  /// A value distorts, enlarges or orients the image in a way that CropKit can't reproduce.
  case unsupportedEdit(MarkField)
}

/// A setting in which another program stores part of a crop.
public struct MarkField: Hashable, Sendable {
  /// The line of the name in its program's table.
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

  /// Hashes the position of the name in its table.
  public func hash(into hasher: inout Hasher) { hasher.combine(line) }

  #if !hasFeature(Embedded)
    /// The name as the program writes it, such as `crs:CropTop` or `[Crop] X`.
    public var name: String {
      let lines = String(describing: table).split(separator: "\n")
      return lines.indices.contains(line) ? String(lines[line]) : ""
    }
  #endif
}
