import CropImaging
import Hummingbird
import PhotoLibrary

extension Problem {
  /// What a library could not do.
  init(_ error: LibraryError) {
    switch error {
    case .noPhoto: self.init(.notFound, code: "not-found", "there is no such photo")
    case .noAlbum: self.init(.notFound, code: "not-found", "there is no such album")
    case .badPosition: self.init(.badRequest, code: "usage", "\"after\" is no place in a list")
    case .gone(let name):
      self.init(.notFound, code: "gone", "\(name): the file is no longer there")
    case .changed(let name):
      self.init(
        .conflict, code: "changed",
        "\(name): the file was changed or replaced; look at it again before you crop")
    case .bothKept(let name, let kept):
      self.init(
        .conflict, code: "changed",
        "\(name): another program saved it meanwhile, and its file stays; what was there before is "
          + "now called \(kept)")
    case .nothingToRestore:
      self.init(.conflict, code: "nothing-to-restore", "there is nothing to bring back")
    case .noTargets:
      self.init(.notFound, code: "no-targets", "no targets are kept of this photo")
    case .trash(let detail): self.init(.conflict, code: "trash", detail)
    case .diskFull(let place): self.init(CropError.diskFull(path: place))
    case .indexLocked:
      self.init(
        .serviceUnavailable, code: "index-locked",
        "another program holds the index of the library; close it, then try again")
      headers[.retryAfter] = "5"
    case .busy: self = .busy
    }
  }

  /// A picture that can't be shown.
  init(_ problem: PhotoProblem) {
    self.init(Self.status(of: problem.code), code: problem.code, problem.message)
  }

  /// As of the `CropError` with this code.
  private static func status(of code: String) -> HTTPResponse.Status {
    if code.hasPrefix("limit-") { return .contentTooLarge }
    if code.hasPrefix("unsupported-") { return .unsupportedMediaType }
    return code.hasPrefix("input-") ? .notFound : .unprocessableContent
  }
}

extension Problem {
  /// There is no library at all.
  static var noLibrary: Self {
    Self(
      .notFound, code: "no-library", "no folder of pictures was found; start with --library DIR")
  }
}
