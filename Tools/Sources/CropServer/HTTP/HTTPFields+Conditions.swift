import HTTPTypes

extension HTTPFields {
  /// Whether the client has what `tag` names already: then it is not sent again.
  ///
  /// - Throws: `Problem` where the client wants another version (RFC 9110, 13.2.2: that comes first).
  func isUnchanged(tag: String) throws(Problem) -> Bool {
    try checkMatch(tag: tag)
    return tags(.ifNoneMatch)?.contains { $0 == tag || $0 == "W/\(tag)" || $0 == "*" } == true
  }

  /// Checks that the client means the version that `tag` names.
  ///
  /// - Throws: `Problem` where `If-Match` names others; weak tags never match here (RFC 9110, 13.1.1).
  func checkMatch(tag: String) throws(Problem) {
    guard let tags = tags(.ifMatch), !tags.contains(where: { $0 == tag || $0 == "*" }) else {
      return
    }
    throw .otherVersion
  }

  /// Checks, before something is changed, that the client means what is there; `tag` is nil where nothing is.
  ///
  /// - Throws: `Problem` where `If-Match` or `If-None-Match` says otherwise (RFC 9110, 13.1).
  func checkChange(of tag: String?) throws(Problem) {
    guard let tag else {
      if self[.ifMatch] != nil { throw .otherVersion }
      return
    }
    if try isUnchanged(tag: tag) { throw .otherVersion }
  }

  /// Whether the client says which version it means; `*` means any.
  var namesVersion: Bool { self[.ifMatch].map { $0.trimmed != "*" } ?? false }

  private func tags(_ name: HTTPField.Name) -> [String]? {
    guard self[name] != nil else { return nil }
    return self[values: name].flatMap { $0.split(separator: ",") }.map(\.trimmed)
  }
}

extension Problem {
  /// The client means another version than there is.
  static var otherVersion: Self {
    Self(.preconditionFailed, code: "changed", "there is another version than the one you mean")
  }
}
