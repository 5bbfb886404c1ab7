import UIKit

/// What comes with the app.
@MainActor
enum SampleFiles {
  /// The sample picture.
  static let picture = url("sample", "jpg").flatMap { try? Data(contentsOf: $0) }
    .flatMap { UIImage(data: $0) }

  /// The sound of a shutter.
  static var shutter: URL? { url("shutter", "wav") }

  private static func url(_ name: String, _ kind: String) -> URL? {
    Bundle.module.url(forResource: name, withExtension: kind)
  }
}
