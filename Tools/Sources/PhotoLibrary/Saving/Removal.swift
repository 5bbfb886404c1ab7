import CropImaging
import Glibc

/// A file that was removed or replaced and can be restored.
struct Removal: Hashable, Sendable {
  var photo: LibraryID
  let place: PhotoPlace
  /// The version of the file that replaced it; nil if none did.
  var replacement: FileStamp?
  let item: Trash.Item
  let original: RemovedFile
  /// Earlier removals of the same photo, the last one first, each without its own `earlier`.
  var earlier: [Removal] = []

  /// Whether it still seems to be in the trash, without reading it.
  var seemsThere: Bool {
    var status = stat()
    return lstat(item.path.terminated, &status) == 0 && original.resembles(status)
  }
}

/// The stored form: names are bytes, percent-encoded.
extension Removal: Codable {
  private enum Key: CodingKey {
    case version, photo, folder, name, replacement, trash, trashName, original, earlier
  }

  private static let version = 1

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Key.self)
    func bytes(_ key: Key) throws -> PathBytes {
      guard let bytes = FileAddress.plain(try fields.decode(String.self, forKey: key)) else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: fields, debugDescription: "this is not an escaped name")
      }
      return PathBytes(bytes)
    }
    guard try fields.decode(Int.self, forKey: .version) == Self.version else {
      throw DecodingError.dataCorruptedError(
        forKey: .version, in: fields, debugDescription: "another program wrote this")
    }
    guard let photo = LibraryID(try fields.decode(String.self, forKey: .photo)) else {
      throw DecodingError.dataCorruptedError(
        forKey: .photo, in: fields, debugDescription: "this is not an id")
    }
    self.photo = photo
    place = PhotoPlace(folder: try bytes(.folder), name: try bytes(.name))
    replacement = try fields.decodeIfPresent(FileStamp.self, forKey: .replacement)
    item = Trash.Item(trash: try bytes(.trash), name: try bytes(.trashName))
    guard ![place.name, item.name].contains(where: { $0.bytes.isEmpty || $0.bytes.contains(0x2F) })
    else {
      throw DecodingError.dataCorruptedError(
        forKey: .name, in: fields, debugDescription: "this is not a file name")
    }
    original = try fields.decode(RemovedFile.self, forKey: .original)
    earlier = try fields.decodeIfPresent([Removal].self, forKey: .earlier) ?? []
  }

  func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Key.self)
    try fields.encode(Self.version, forKey: .version)
    try fields.encode(photo.text, forKey: .photo)
    for (name, key) in [
      (place.folder, Key.folder), (place.name, .name), (item.trash, .trash),
      (item.name, .trashName),
    ] { try fields.encode(FileAddress.escaped(name.bytes), forKey: key) }
    try fields.encodeIfPresent(replacement, forKey: .replacement)
    try fields.encode(original, forKey: .original)
    if !earlier.isEmpty { try fields.encode(earlier, forKey: .earlier) }
  }
}
