import CropImaging
import Hummingbird
import NIOCore
import PhotoLibrary

/// The call by which `cropkit open` names files to the user's server.
struct OpenRoutes: Sendable {
  let library: PhotoLibrary
  let access: Access
  let audience: Audience
  let places: LibraryPlaces
  /// Where files are opened and read.
  let files: BlockingThreads

  static let path = "/api/open"

  func add(to routes: Routes) {
    routes.post("api/open") { request, context in try await open(request, context) }
  }

  /// The most bytes of all paths.
  private static let longest = 4 << 20

  private func open(_ request: Request, _ context: CropContext) async throws -> Response {
    _ = try Query(of: request, known: [])
    // Only a program of the user knows the token. No page, whoever made it, opens a file.
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
      throw Problem(.serviceUnavailable, code: "stopping", "the server is being stopped")
    }
    return try Response(json: opening)
  }

  /// Blocks; nil where the server is about to end.
  private func open(_ paths: [PathBytes], port: Int) throws -> Opening? {
    var ids: [String] = []
    var refused: [Opening.Refused] = []
    for path in paths {
      do {
        let id = try library.admit(path).id.text
        if !ids.contains(id) { ids.append(id) }
      } catch {
        let reason =
          error as? CropError ?? CropError.readFailed(file: path.name, detail: "\(error)")
        refused.append(Opening.Refused(message: reason.message, exitStatus: reason.exitStatus))
      }
    }
    let place: String
    switch ids.count {
    case 0 where !paths.isEmpty: return Opening(file: nil, refused: refused)
    case 0: place = "#/open"
    case 1: place = "#/photos/\(ids[0])"
    default: place = "#/queue/\(ids.joined(separator: "."))"
    }
    let file = try audience.expecting {
      try OpenFile.write(
        leadingTo: "http://127.0.0.1:\(port)/", place: place,
        named: "\(port)-\(randomHexadecimal(4))", codes: access.codes, places: places)
    }
    return file.map { Opening(file: $0, refused: refused) }
  }
}
