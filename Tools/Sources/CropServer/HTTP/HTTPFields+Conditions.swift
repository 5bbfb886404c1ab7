import HTTPTypes

extension HTTPFields {
  /// Whether the client already has the version `tag`, so that it is not sent again.
  ///
  /// - Throws: `Problem` if the client requires another version (RFC 9110, 13.2.2: that takes
  ///   precedence).
  func isUnchanged(tag: String) throws(Problem) -> Bool {
    try checkMatch(tag: tag)
    return tags(.ifNoneMatch)?.contains { $0 == tag || $0 == "W/\(tag)" || $0 == "*" } == true
  }

  /// Checks that the client refers to the version `tag`.
  ///
  /// - Throws: `Problem` if `If-Match` names others; weak tags never match here (RFC 9110, 13.1.1).
  func checkMatch(tag: String) throws(Problem) {
    guard let tags = tags(.ifMatch), !tags.contains(where: { $0 == tag || $0 == "*" }) else {
      return
    }
    throw .otherVersion
  }

  /// Checks, before a change, that the client refers to the current version; `tag` is nil if there
  /// is none.
  ///
  /// - Throws: `Problem` if `If-Match` or `If-None-Match` fails (RFC 9110, 13.1).
  func checkChange(of tag: String?) throws(Problem) {
    guard let tag else {
      if self[.ifMatch] != nil { throw .otherVersion }
      return
    }
    if try isUnchanged(tag: tag) { throw .otherVersion }
  }

  /// Whether the client names a version; `*` means any.
  var namesVersion: Bool { self[.ifMatch].map { $0.trimmed != "*" } ?? false }

  private func tags(_ name: HTTPField.Name) -> [String]? {
    guard self[name] != nil else { return nil }
    return self[values: name].flatMap { $0.split(separator: ",") }.map(\.trimmed)
  }
}

extension Problem {
  /// The client refers to another version than the current one.
  static var otherVersion: Self {
    Self(.preconditionFailed, code: "changed", "it has changed since that version; reload it")
  }
}
