import Hummingbird

/// The page for clients that are not signed in, in all languages and states.
///
/// The page's files contain its initial state; its style decides which words are shown.
struct SignInPage: Sendable {
  private let texts: [String: String]

  /// The page's files by language; empty if the program was built without its page.
  init(_ texts: [String: String]) {
    self.texts = texts
  }

  /// The file of each language.
  static let files = ["en": "sign-in.html"].merging(
    ["ar", "de", "es", "fr", "it", "ja", "ko", "pt", "zh"].map { ($0, "sign-in-\($0).html") }
  ) { $1 }
  /// The page's resources, which do not require signing in.
  static let parts: Set<String> = [
    "/sign-in.css", "/sign-in.js", "/tokens.css", "/icon.svg",
  ]

  /// The page with the reason why the client is refused; nil if the program was built without it.
  func text(_ reason: Access.Refusal, for request: Request) -> ByteBuffer? {
    let state =
      switch reason {
      case .first: "first"
      case .wrong: "wrong"
      case .old: "old"
      case .slow: "slow"
      }
    return texts[language(of: request)].map { text in
      ByteBuffer(
        string: text.replacing(#"data-state="first""#, with: #"data-state="\#(state)""#))
    }
  }

  /// The user's most preferred language that the page has.
  private func language(of request: Request) -> String {
    let wanted = request.headers[values: .acceptLanguage].joined(separator: ",").lowercased()
    return wanted.split(separator: ",").lazy
      .map { String($0.trimmed.prefix { $0.isLetter }) }
      .first { texts[$0] != nil } ?? "en"
  }
}
