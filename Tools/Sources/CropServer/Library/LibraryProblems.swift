import CropImaging
import Hummingbird
import PhotoLibrary

extension Problem {
  init(_ error: LibraryError) {
    switch error {
    case .noPhoto: self.init(.notFound, code: "not-found", "no such photo")
    case .noAlbum: self.init(.notFound, code: "not-found", "no such album")
    case .badPosition:
      self.init(.badRequest, code: "usage", "\"after\" is not a position in a list")
    case .gone(let name):
      self.init(.notFound, code: "gone", "\(name): the file no longer exists")
    case .changed(let name):
      self.init(
        .conflict, code: "changed",
        "\(name): the file was changed or replaced; open it again before you crop")
    case .bothKept(let name, let kept):
      self.init(
        .conflict, code: "changed",
        "\(name): another program has changed it, so it was not overwritten; the previous file is "
          + "now called \(kept)")
    case .nothingToRestore:
      self.init(.conflict, code: "nothing-to-restore", "there is nothing to restore")
    case .noTargets:
      self.init(.notFound, code: "no-targets", "no targets are stored for this photo")
    case .trash(let detail): self.init(.conflict, code: "trash", detail)
    case .diskFull(let place): self.init(CropError.diskFull(path: place))
    case .indexLocked:
      self.init(
        .serviceUnavailable, code: "index-locked",
        "another program has locked the library's index; close it, then try again")
      headers[.retryAfter] = "5"
    case .busy: self = .busy()
    }
  }

  /// An image that can't be shown.
  init(_ problem: PhotoProblem) {
    self.init(Self.status(of: problem.code), code: problem.code, problem.message)
  }

  /// The status for the `CropError` with this code.
  private static func status(of code: String) -> HTTPResponse.Status {
    if code.hasPrefix("limit-") { return .contentTooLarge }
    if code.hasPrefix("unsupported-") { return .unsupportedMediaType }
    return code.hasPrefix("input-") ? .notFound : .unprocessableContent
  }
}

extension Problem {
  static var noLibrary: Self {
    Self(
      .notFound, code: "no-library", "no photo folder found; start with --library DIR")
  }
}
