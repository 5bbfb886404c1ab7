import CropImaging
import Hummingbird
import NIOCore
import PhotoLibrary

/// The call by which `cropkit open` names files to the user's server.
struct OpenRoutes: Sendable {
  let library: PhotoLibrary
  let access: Access
  let audience: IdleShutdown
  let userFolders: UserFolders
  /// Threads that open and read files.
  let files: BlockingThreads
  let galleries: GallerySettings

  static let path = "/api/open"

  func add(to routes: Routes) {
    routes.post("api/open") { request, context in try await open(request, context) }
  }

  /// The maximum length of all paths in bytes.
  private static let longest = 4 << 20

  private func open(_ request: Request, _ context: CropContext) async throws -> Response {
    _ = try Query(of: request, known: [])
    // Only a program of the user knows the token, so no web page can open files.
    guard context.device == nil else { throw Problem.nothingHere }
    var body = ByteBuffer()
    try await request.readBody(on: context.channel) { part, count in
      guard count <= Self.longest else {
        throw Problem(.contentTooLarge, code: "request", "too many files at once")
      }
      body.writeImmutableBuffer(part)
    }
    let paths = body.readableBytesView.split(separator: 0).map { PathBytes(Array($0)) }
    let port = context.channel.localAddress?.port ?? 0
    let opening = try await files.run { try open(paths, port: port) }
    guard let opening else {
      throw Problem(.serviceUnavailable, code: "stopping", "the server is stopping")
    }
    return try Response(json: opening)
  }

  /// Blocks. Nil if the server is stopping.
  private func open(_ paths: [PathBytes], port: Int) throws -> OpenReply? {
    var ids: [String] = []
    var refused: [OpenReply.Refused] = []
    var ofGallery: GalleryPhotoName?
    for path in paths {
      if let text = Self.galleryName(path) {
        do throws(CropError) {
          ofGallery = try galleryPhoto(text, isAlone: paths.count == 1)
        } catch {
          refused.append(
            OpenReply.Refused(message: error.message(for: .command), exitStatus: error.exitStatus))
        }
        continue
      }
      do {
        let id = try library.admit(path).id.text
        if !ids.contains(id) { ids.append(id) }
      } catch {
        let reason =
          error as? CropError ?? CropError.readFailed(file: path.name, detail: "\(error)")
        refused.append(
          OpenReply.Refused(message: reason.message(for: .command), exitStatus: reason.exitStatus))
      }
    }
    let place: String
    switch ids.count {
    case 0 where ofGallery != nil: place = ofGallery?.place ?? ""
    case 0 where !paths.isEmpty: return OpenReply(file: nil, refused: refused)
    case 0: place = "#/open"
    case 1: place = "#/photos/\(ids[0])"
    default: place = "#/queue/\(ids.joined(separator: "."))"
    }
    let file = try audience.expecting {
      try OpenFile.write(
        leadingTo: "http://127.0.0.1:\(port)/", place: place,
        named: "\(port)-\(randomHexadecimal(4))", codes: access.codes, userFolders: userFolders)
    }
    return file.map { OpenReply(file: $0, refused: refused) }
  }

  /// The name of a photo in a gallery; nil for the path of a file.
  private static func galleryName(_ path: PathBytes) -> String? {
    guard path.bytes.first != UInt8(ascii: "/") else { return nil }
    return String(validating: path.bytes, as: UTF8.self)
  }

  private func galleryPhoto(
    _ text: String, isAlone: Bool
  ) throws(CropError) -> GalleryPhotoName {
    guard isAlone else {
      throw .usage(detail: "\(text): open a photo from a gallery without other files")
    }
    guard let photo = GalleryPhotoName(text) else {
      throw .usage(
        detail: "\(text): name a photo in a gallery as immich:ID (an asset's id) or dav:PATH")
    }
    let (isKnown, table) =
      switch photo {
      case .immich: (galleries.immich != nil, "immich")
      case .webDAV: (galleries.webDAV != nil, "webdav")
      }
    guard isKnown else {
      throw .componentMissing(
        component: text,
        advice: "no such gallery is set up; add [\(table)] to ~/.config/cropkit/server.toml")
    }
    return photo
  }
}
