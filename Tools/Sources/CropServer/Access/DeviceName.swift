/// What a person calls a browser, by its `User-Agent`.
enum DeviceName {
  /// `Firefox · Android`; a program's own name where it is no browser; empty where nothing is said.
  static func of(_ agent: String) -> String {
    // Each of them also names those below it.
    let browsers = [
      ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser/", "Samsung Internet"),
      ("Firefox/", "Firefox"), ("FxiOS/", "Firefox"), ("CriOS/", "Chrome"), ("Chrome/", "Chrome"),
      ("Safari/", "Safari"),
    ]
    let systems = [
      ("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"),
      ("CrOS", "ChromeOS"), ("Mac OS X", "Mac"), ("Linux", "Linux"),
    ]
    func name(in table: [(mark: String, name: String)]) -> String? {
      table.first { agent.contains($0.mark) }?.name
    }
    if let browser = name(in: browsers) {
      return [browser, name(in: systems)].compactMap(\.self).joined(separator: " · ")
    }
    let product = agent.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    return String(product.prefix(40))
  }
}
