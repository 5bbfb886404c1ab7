import CropImaging
import Foundation
import Testing

@testable import CropServer
@testable import PhotoLibrary

struct GalleryTests {
  private let id = "6f3c0a52-9d1e-4b7a-8c55-2f0f6d7b9e10"

  @Test func `a photo of a gallery is named by an id or a path`() {
    #expect(GalleryPhotoName("immich:\(id.uppercased())") == .immich(id))
    #expect(GalleryPhotoName("dav:/Urlaub//a b.jpg") == .webDAV(["Urlaub", "a b.jpg"]))
    #expect(GalleryPhotoName("dav:Urlaub/a b.jpg")?.place == "#/from/dav%3AUrlaub%2Fa%20b.jpg")
    for text in [
      "", "immich", "immich:", "immich:../a", "immich:\(id)/edits", "dav:", "dav:/", "dav:a/../b",
      "dav:.", "dav:a\u{0}", "dav:a\nb", "http://example.org", "file:/etc/passwd",
      "dav:" + String(repeating: "a", count: 256), "dav:" + String(repeating: "a/", count: 65),
    ] {
      #expect(GalleryPhotoName(text) == nil, "\(text)")
    }
    #expect(GalleryPhotoName(webDAV: ["a/../b"]) == nil)
  }

  @Test(arguments: [
    ([127, 0, 0, 1], true), ([10, 9, 8, 7], true), ([172, 16, 0, 1], true),
    ([172, 32, 0, 1], false),
    ([192, 168, 1, 2], true), ([192, 167, 1, 2], false), ([169, 254, 1, 1], true),
    ([100, 64, 0, 1], true), ([100, 128, 0, 1], false), ([8, 8, 8, 8], false),
    ([0, 0, 0, 0], false),
  ])
  func `an address is near or of the whole world`(bytes: [UInt8], isNear: Bool) {
    #expect(NearAddress.isNear(bytes) == isNear)
    #expect(NearAddress.isNear([UInt8](repeating: 0, count: 10) + [0xFF, 0xFF] + bytes) == isNear)
  }

  @Test func `an address of the sixth version is near or of the whole world`() {
    func address(_ first: [UInt8], last: UInt8 = 1) -> [UInt8] {
      first + [UInt8](repeating: 0, count: 15 - first.count) + [last]
    }
    for near in [address([]), address([0xFC]), address([0xFD, 0x12]), address([0xFE, 0x80])] {
      #expect(NearAddress.isNear(near))
    }
    for far in [address([], last: 2), address([0x20, 0x01, 0x0D, 0xB8]), address([0xFE, 0xC0])] {
      #expect(!NearAddress.isNear(far))
    }
  }

  @Test func `an untrusted name becomes a file name`() {
    #expect(galleryName("../../etc/passwd") == "passwd")
    #expect(galleryName("a\\b\u{202E}gpj.JPG") == "bgpj.JPG")
    #expect(galleryName("photo.j/pg") == "pg")
    #expect(galleryName(".hidden.jpeg") == "hidden.jpeg")
    #expect(galleryName("") == "picture")
    #expect(galleryName("a.\"; x=\"") == "a")
  }

  @Test func `a time of HTTP is one since 1970`() {
    #expect(WebDAV.seconds("Sun, 06 Nov 1994 08:49:37 GMT") == 784_111_777)
    for text in [
      "", "yesterday", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun, 06 Now 1994 08:49:37 GMT",
    ] {
      #expect(WebDAV.seconds(text) == nil)
    }
  }

  @Test func `a secret is in no text`() throws {
    let folder = try Folder()
    let path = try folder.write("hush-hush\nmore\n".utf8, as: "key")
    chmod(path, 0o600)
    let secret = try GallerySecret(inFile: path)
    #expect(secret.value == "hush-hush")
    let settings = try ImmichSettings(
      url: "https://photos.example.org/", keyFile: path, authorities: nil)
    #expect(settings.place.text == "https://photos.example.org")
    #expect(!"\(settings) \(String(reflecting: settings)) \(secret)".contains("hush"))
    var dumped = ""
    dump(settings, to: &dumped)
    #expect(!dumped.contains("hush"))
    for mode: mode_t in [0o640, 0o604, 0o622] {
      chmod(path, mode)
      #expect(throws: ServerSettings.Refusal.self) { try GallerySecret(inFile: path) }
    }
  }

  @Test(arguments: [
    "photos.example.org", "ftp://a", "https://", "https://a/?b", "https://a#b", "https://u@a",
    "https://u:p@a", "",
  ])
  func `an invalid server address is rejected`(url: String) {
    #expect(throws: ServerSettings.Refusal.self) {
      try GalleryAddress(url, option: "immich-url", authorities: nil)
    }
  }

  @Test func `cropkit open leads to a photo of a gallery that is set up`() async throws {
    let folder = try NamedFilesTests.folder("a.png")
    let place = try InstanceLock(userFolders: UserFolders(environment: folder.environment))
    let claim = try #require(try place.claim())
    let key = try folder.write("hush-hush".utf8, as: "key")
    chmod(key, 0o600)
    let server = try await ServerInside(over: folder) { settings in
      settings.library = .named(claim)
      settings.absence = .seconds(1 << 40)
      settings.galleries.immich = try? ImmichSettings(
        url: "http://127.0.0.1:1", keyFile: key, authorities: nil)
    }
    func open(_ names: String...) async throws -> OpenReply? {
      try await onOwnThread { try place.open(names.map { PathBytes($0) }) }
    }
    let file = try #require(try await open("immich:\(id)")?.file)
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(text.contains("#/from/immich%3A\(id)"))
    // Not configured, without a name, several.
    #expect(try await open("dav:a.jpg")?.refused.map(\.exitStatus) == [69])
    #expect(try await open("immich:../a")?.refused.map(\.exitStatus) == [64])
    let both = try await open("immich:\(id)", folder.path("a.png"))
    #expect(both?.refused.map(\.exitStatus) == [64] && both?.file != nil)
    await server.stop()
  }
}
