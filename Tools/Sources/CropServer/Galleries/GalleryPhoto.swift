import FoundationEssentials
import Glibc

/// Names a photo in a gallery: `immich:ID` or `dav:PATH`.
enum GalleryPhotoName: Sendable, Equatable {
  /// An asset of Immich, by its lower-case id.
  case immich(String)
  /// A file of a WebDAV server, by the names of the folders and of the file.
  case webDAV([String])

  /// Parses a name; nil if it is not a photo's.
  init?(_ text: String) {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    let rest = text[text.index(after: colon)...]
    switch text[..<colon] {
    case "immich": self.init(immich: rest)
    case "dav": self.init(webDAV: rest.split(separator: "/").map(String.init))
    default: return nil
    }
  }

  /// An asset of Immich; nil if `id` is not a UUID.
  init?(immich id: Substring) {
    guard UUID(uuidString: String(id)) != nil else { return nil }
    self = .immich(id.lowercased())
  }

  /// A file by its path; nil if a component would lead elsewhere or can't be sent.
  init?(webDAV path: [String]) {
    let isSound = path.allSatisfy { part in
      !["", ".", ".."].contains(part) && part.utf8.count <= 255 && !part.contains("/")
        && part.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }
    guard isSound, (1...64).contains(path.count) else { return nil }
    self = .webDAV(path)
  }

  /// The name in its text form.
  var text: String {
    switch self {
    case .immich(let id): "immich:\(id)"
    case .webDAV(let path): "dav:\(path.joined(separator: "/"))"
    }
  }

  /// The page's fragment for the photo.
  var place: String {
    "#/from/\(text.percentEncoded)"
  }
}

/// The way to save a crop.
enum GallerySaveMode: String, Codable, Sendable {
  /// As the gallery's own edit of the photo.
  case edit
  /// As a separate photo, stacked with the original.
  case stack
  /// As a file next to the original.
  case beside
  /// As a replacement of the original.
  case replace
}
