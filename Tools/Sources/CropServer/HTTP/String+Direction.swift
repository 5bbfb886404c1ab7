extension String {
  /// The text without the characters that change the direction of what follows (`Bidi_Control` of
  /// Unicode): with them the name of a file can show another extension than it has.
  var withoutDirectionControls: String {
    guard unicodeScalars.contains(where: \.properties.isBidiControl) else { return self }
    return String(String.UnicodeScalarView(unicodeScalars.filter { !$0.properties.isBidiControl }))
  }
}
