import Hummingbird

/// The page that a person without a session sees, in the languages and the states it has.
///
/// The files of the page hold it in its first state; which words of it show is decided by its style.
struct SignInPage: Sendable {
  private let texts: [String: String]

  /// The page's files by language; empty where the program was built without its page.
  init(_ texts: [String: String]) {
    self.texts = texts
  }

  /// The file of each language.
  static let files = ["en": "sign-in.html"].merging(
    ["ar", "de", "es", "fr", "it", "ja", "ko", "pt", "zh"].map { ($0, "sign-in-\($0).html") }
  ) { $1 }
  /// What anybody may load: what the page is made of.
  static let parts: Set<String> = ["/sign-in.css", "/tokens.css", "/icon.svg"]

  /// The page for a visitor who is refused, with the reason; nil where there is none.
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

  /// The first language a person reads that the page has.
  private func language(of request: Request) -> String {
    let wanted = request.headers[values: .acceptLanguage].joined(separator: ",").lowercased()
    return wanted.split(separator: ",").lazy
      .map { String($0.trimmed.prefix { $0.isLetter }) }
      .first { texts[$0] != nil } ?? "en"
  }
}
