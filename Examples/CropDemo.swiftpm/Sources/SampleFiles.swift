import UIKit

/// The files that come with the app.
@MainActor
enum SampleFiles {
  /// A lake, in landscape format.
  static let picture = image("lake-at-dusk")
  /// A street, in portrait format, stored on its side.
  static let street = image("upright-street")

  /// The sound of a shutter.
  static var shutter: URL? { url("shutter", "wav") }

  private static func image(_ name: String) -> UIImage? {
    url(name, "jpg").flatMap { try? Data(contentsOf: $0) }.flatMap { UIImage(data: $0) }
  }

  private static func url(_ name: String, _ kind: String) -> URL? {
    Bundle.module.url(forResource: name, withExtension: kind)
  }
}
