import CVersion

/// The version of CropKit.
public enum Version {
  /// The version and, if the build set it, the commit: `1.2.3 (0123abc)`.
  public static var text: String {
    let commit = String(cString: ckc_commit())
    return String(cString: ckc_version()) + (commit.isEmpty ? "" : " (\(commit))")
  }
}
