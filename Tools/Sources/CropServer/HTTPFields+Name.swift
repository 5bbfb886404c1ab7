import HTTPTypes

extension HTTPFields {
  /// The value of a field that has no name of its own in the library.
  subscript(named name: String) -> String? {
    get { HTTPField.Name(name).flatMap { self[$0] } }
    set {
      if let name = HTTPField.Name(name) { self[name] = newValue }
    }
  }

  /// All values of a field that has no name of its own in the library.
  func all(named name: String) -> [String] {
    HTTPField.Name(name).map { self[values: $0] } ?? []
  }
}
