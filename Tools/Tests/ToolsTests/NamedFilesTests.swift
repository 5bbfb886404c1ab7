import CropCore
import CropImaging
import Foundation
import Testing

@testable import PhotoLibrary

/// A library of only the files that were named to it.
struct NamedFilesTests {
  private static let recipe = CropRecipe(rect: FrameRect(x: 8, y: 8, width: 32, height: 24))

  /// A folder with small pictures of the given names.
  static func folder(_ names: String...) throws -> Folder {
    let folder = try Folder()
    for (index, name) in names.enumerated() {
      _ = try folder.write(PNGBomb.bytes(side: 64 + 8 * index), as: name)
    }
    return folder
  }

  /// A library with its data in `data`.
  private static func library(_ data: Folder) throws -> PhotoLibrary {
    let worker = "\(Program.folder)/cropkit-worker"
    return try PhotoLibrary(
      ofNamedFilesWith: CropEngine(backend: WorkerPool(executable: worker, size: 1)),
      userFolders: UserFolders(environment: data.environment))
  }

  private static func names(_ library: PhotoLibrary) async throws -> [String] {
    let photos = try await library.photos(in: "all", after: nil, limit: 100).photos
    // Listing makes thumbnails in advance; made later, they would bring the removed folder back.
    for photo in photos { _ = try await library.thumbnails.thumbnail(of: photo, .large) }
    return photos.map(\.name).sorted()
  }

  @Test func `only named files exist`() async throws {
    let folder = try Self.folder("a.png", "b.png", ".hidden.png")
    let data = try Folder()
    let library = try Self.library(data)
    #expect(try await Self.names(library) == [])
    let photo = try library.admit(PathBytes(folder.path("a.png")))
    // Named twice, it is the same; a link means its file; a hidden file is accepted, since it was
    // named.
    symlink(folder.path("a.png"), folder.path("link.png"))
    #expect(try library.admit(PathBytes(folder.path("link.png"))).id == photo.id)
    #expect(try library.admit(PathBytes(folder.path(".hidden.png"))).name == ".hidden.png")
    #expect(try await Self.names(library) == [".hidden.png", "a.png"])
    let albums = try await library.albums()
    #expect(albums.map(\.kind) == [.all, .folder])
    #expect(albums.last?.name == folder.path.split(separator: "/").last.map(String.init))
    // The id of a file that was not named is unknown, before and after a scan.
    let other = LibraryID(of: PathBytes(folder.path("b.png")).bytes.dropFirst())
    await #expect(throws: LibraryError.noPhoto) { try await library.photo(other) }
    library.start()
    defer { library.stop() }
    try await eventually("the first pass ends") { library.progress == nil }
    await #expect(throws: LibraryError.noPhoto) { try await library.photo(other) }
    #expect(try await Self.names(library) == [".hidden.png", "a.png"])
    #expect(throws: LibraryError.noAlbum) {
      try library.add(ImageSource(path: folder.path("b.png")), name: "new.png")
    }
  }

  @Test func `a file that can't be opened gives the reason, and is not listed`() async throws {
    let folder = try Self.folder("a.png")
    let data = try Folder()
    _ = try folder.write("no picture".utf8, as: "text.txt")
    mkdir(folder.path("folder"), 0o700)
    let library = try Self.library(data)
    for (name, status) in [("missing.png", 66), ("text.txt", 69), ("folder", 66)] {
      let error = #expect(throws: CropError.self) {
        try library.admit(PathBytes(folder.path(name)))
      }
      #expect(error?.exitStatus == Int32(status), "\(name): \(String(describing: error))")
    }
    #expect(try await Self.names(library) == [])
  }

  @Test func `a crop is saved next to its file, under a free name`() async throws {
    let folder = try Self.folder("a.png", "a-cropped.png")
    let data = try Folder()
    let library = try Self.library(data)
    let photo = try library.admit(PathBytes(folder.path("a.png")))
    let saved = try library.saveCrop(of: photo, as: .recipe(Self.recipe), options: ResultOptions())
    #expect(saved.isNew && saved.photo.name == "a-cropped-2.png")
    #expect(saved.photo.source == photo.id)
    #expect(folder.names == ["a-cropped-2.png", "a-cropped.png", "a.png"])
    #expect(try await Self.names(library) == ["a-cropped-2.png", "a.png"])
    // Of two equal crops, only one is saved.
    let again = try library.saveCrop(of: photo, as: .recipe(Self.recipe), options: ResultOptions())
    #expect(!again.isNew && again.photo.id == saved.photo.id)
  }

  @Test func `an original that is replaced is brought back, by whom it was named to`() async throws
  {
    let folder = try Self.folder("a.png", "b.png")
    let data = try Folder()
    let original = try Data(contentsOf: folder.url("a.png"))
    var library = try Self.library(data)
    let photo = try library.admit(PathBytes(folder.path("a.png")))
    _ = try library.trash.replace(photo, as: .recipe(Self.recipe), options: ResultOptions())
    #expect(try Data(contentsOf: folder.url("a.png")) != original)
    // A new library, as after a restart: the file was not named to it.
    library = try Self.library(data)
    _ = try library.admit(PathBytes(folder.path("b.png")))
    #expect(throws: LibraryError.nothingToRestore) { try library.trash.restore(photo.id) }
    let known = try library.admit(PathBytes(folder.path("a.png")))
    #expect(known.id == photo.id)
    _ = try library.trash.restore(photo.id)
    #expect(try Data(contentsOf: folder.url("a.png")) == original)
  }
}
