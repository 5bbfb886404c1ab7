import CropCore
import CropImaging
import FoundationEssentials
import Glibc
import Hummingbird
import PhotoLibrary

/// The calls of Immich's API 3.0 (see its OpenAPI description): assets, their edits, uploads and
/// stacks.
struct Immich: Sendable {
  let client: GalleryClient
  let engine: CropEngine

  init(_ settings: ImmichSettings, engine: CropEngine) {
    client = GalleryClient(
      title: "Immich", address: settings.place, credentials: .key(settings.key))
    self.engine = engine
  }

  /// The fields of an asset that CropKit uses.
  fileprivate struct Asset: Decodable {
    let checksum: String
    let originalFileName: String
    let type: String
    let isTrashed: Bool
    let fileCreatedAt: String
    let fileModifiedAt: String
    let visibility: String?
    let stack: Stack?
  }

  fileprivate struct Stack: Decodable {
    let id: String
    let primaryAssetId: String
  }

  private struct Uploaded: Decodable {
    let id: String
  }

  /// Fetches an asset's original and its edits. Blocks.
  func open(_ id: String, until stop: CropStop?) throws -> GalleryOriginal {
    let asset = try asset(id, until: stop)
    guard asset.type == "IMAGE" else {
      throw Problem(
        .unsupportedMediaType, code: "unsupported-format", "\(asset.name) is a video, not a photo")
    }
    let limits = engine.limits
    let (source, answer) = try client.download(
      "\(path(id))/original?edited=false", most: limits.bytes, limits: limits, name: asset.name,
      until: stop)
    guard let source else { throw refusal(answer, right: "asset.download") }
    guard Data(try Digests.sha1(of: source)).base64EncodedString() == asset.checksum else {
      throw Problem(
        .badGateway, code: "gallery-broken",
        "the photo does not match Immich's checksum; try again")
    }
    let info = try engine.info(source, isLenient: true)
    var opened = GalleryOriginal(
      source: source, info: info, name: asset.name, version: asset.checksum, ways: [.stack])
    let edits = try client.send(edits("GET", id), until: stop)
    switch edits.status {
    case 200:
      opened = GalleryOriginal(
        source: source, info: info, name: asset.name,
        version: "\(asset.checksum).\(try tag(edits))", ways: [.stack, .edit])
      let json = ImageSource(bytes: edits.body, name: asset.name)
      let isEdited = try !decoded(ImmichEdits.self, edits, "edits").edits.isEmpty
      guard isEdited else { break }
      do throws(CropError) {
        opened.recipe = try CropMark(sidecar: json, info).recipe
      } catch {
        opened.note = error.message(for: .http)
      }
    case 403: opened.note = refusal(edits, right: "asset.edit.get").detail
    // An old version of Immich, without edits.
    case 404: break
    default: throw refusal(edits, right: "asset.edit.get")
    }
    return opened
  }

  /// Saves a crop as Immich's own edit. Blocks.
  ///
  /// - Parameters:
  ///   - version: the version of the photo that was cropped.
  ///   - image: the size of the upright photo.
  /// - Throws: `Problem`, also for a crop that Immich's edits can't express.
  func edit(
    _ id: String, version: String, recipe: CropRecipe, image: ImageSize
  ) throws -> GallerySaved {
    let text = try Self.edits(recipe, of: image)
    let (checksum, tag) = Self.parts(of: version)
    guard let tag else { throw Problem.noWay(.edit, client.title) }
    guard try asset(id).checksum == checksum else { throw Problem.galleryChanged(client.title) }
    let before = try client.send(edits("GET", id))
    guard before.status == 200 else { throw refusal(before, right: "asset.edit.get") }
    let wanted = try Self.tag(try JSONDecoder().decode(ImmichEdits.self, from: Data(text.utf8)))
    let present = try self.tag(before)
    if present == wanted {
      return GallerySaved(isNew: false, version: "\(checksum).\(wanted)")
    }
    guard present == tag else { throw Problem.galleryChanged(client.title) }
    if text == Self.noEdits {
      let answer = try client.send(edits("DELETE", id))
      guard [200, 204].contains(answer.status) else {
        throw refusal(answer, right: "asset.edit.delete")
      }
    } else {
      let answer = try client.send(.json("PUT", "\(path(id))/edits", Data(text.utf8)))
      guard answer.status == 200 else { throw refusal(answer, right: "asset.edit.create") }
    }
    return GallerySaved(isNew: true, version: "\(checksum).\(wanted)")
  }

  /// Saves a crop as a separate photo on top of the original's stack. The call is idempotent: it
  /// does not create anything twice. Blocks.
  func stack(_ id: String, version: String, _ result: GalleryResult) throws -> GallerySaved {
    let asset = try asset(id)
    guard asset.checksum == Self.parts(of: version).checksum else {
      throw Problem.galleryChanged(client.title)
    }
    let name = ResultName(source: asset.name, format: result.format).text
    let digest = try Digests.sha1(of: result.source)
    guard Data(digest).base64EncodedString() != asset.checksum else {
      return GallerySaved(name: asset.name, isNew: false)
    }
    let answer = try client.send(try upload(asset, result, name, digest))
    guard [200, 201].contains(answer.status) else {
      throw refusal(answer, right: "asset.upload")
    }
    let new = try decoded(Uploaded.self, answer, "an upload").id
    guard UUID(uuidString: new) != nil else { throw client.nonsense("an upload without an id") }
    let isNew = answer.status == 201
    if !isNew {
      let known = try self.asset(new)
      guard !known.isTrashed else {
        throw Problem(
          .conflict, code: "gallery-trash",
          "this crop is already in Immich's trash; restore it there")
      }
      if let stack = known.stack, stack.id == asset.stack?.id {
        return GallerySaved(name: name, isNew: false)
      }
    }
    // Merges an existing stack of the photo into the new one, by its primary photo.
    let ids = ["assetIds": [new, asset.stack?.primaryAssetId ?? id]]
    let stacked = try client.send(.json("POST", "/api/stacks", try JSONEncoder().encode(ids)))
    guard [200, 201].contains(stacked.status) else {
      let problem = refusal(stacked, right: "stack.create")
      throw Problem(
        problem.status, code: problem.code,
        "the crop is in Immich but not stacked yet; save it again to stack it: \(problem.detail)")
    }
    return GallerySaved(name: name, isNew: isNew)
  }
}

// The API's requests and responses.
extension Immich {
  private func path(_ id: String) -> String { "/api/assets/\(id)" }

  private func edits(_ method: String, _ id: String) -> GalleryRequest {
    GalleryRequest(method: method, path: "\(path(id))/edits")
  }

  private func asset(_ id: String, until stop: CropStop? = nil) throws -> Asset {
    let answer = try client.send(GalleryRequest(method: "GET", path: path(id)), until: stop)
    guard answer.status == 200 else { throw refusal(answer, right: "asset.read") }
    return try decoded(Asset.self, answer, "an asset")
  }

  private func refusal(_ answer: GalleryResponse, right: String) -> Problem {
    client.refusal(answer, right: "the right \(right) of the API key")
  }

  private func decoded<Value: Decodable>(
    _ type: Value.Type, _ answer: GalleryResponse, _ what: String
  ) throws(Problem) -> Value {
    do {
      return try JSONDecoder().decode(type, from: answer.body)
    } catch {
      throw client.nonsense("\(what) that can't be parsed")
    }
  }

  /// The body of an upload (RFC 7578).
  private func upload(
    _ asset: Asset, _ result: GalleryResult, _ name: String, _ digest: [UInt8]
  ) throws -> GalleryRequest {
    guard [asset.fileCreatedAt, asset.fileModifiedAt].allSatisfy(Self.isTime) else {
      throw client.nonsense("a time that can't be parsed")
    }
    let border = "cropkit-\(randomHexadecimal(16))"
    var fields = [
      ("filename", name), ("fileCreatedAt", asset.fileCreatedAt),
      ("fileModifiedAt", asset.fileModifiedAt),
      // Versions before 3.0 require these fields.
      ("deviceId", "CropKit"), ("deviceAssetId", Digests.text(digest)),
    ]
    // The crop of a hidden photo is hidden too.
    if let visibility = asset.visibility, ["archive", "locked"].contains(visibility) {
      fields.append(("visibility", visibility))
    }
    let start = fields.map { name, value in
      "--\(border)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
    }
    let head =
      "--\(border)\r\nContent-Disposition: form-data; name=\"assetData\"; filename=\"\(name)\"\r\n"
      + "Content-Type: \(result.format.mediaType)\r\n\r\n"
    return GalleryRequest(
      method: "POST", path: "/api/assets",
      fields: [
        "Content-Type: multipart/form-data; boundary=\(border)",
        "x-immich-checksum: \(Digests.text(digest))",
      ],
      body: [
        .bytes(Array((start.joined() + head).utf8)),
        .file(result.file, count: result.source.byteCount),
        .bytes(Array("\r\n--\(border)--\r\n".utf8)),
      ])
  }

  private static func isTime(_ text: String) -> Bool {
    text.utf8.count <= 40 && text.utf8.allSatisfy { "0123456789TZ:.+-".utf8.contains($0) }
  }

  private static let noEdits = #"{"edits": []}"#

  private static func edits(_ recipe: CropRecipe, of image: ImageSize) throws -> String {
    let crop = try recipe.resolved(for: image, file: "the photo")
    guard let exporter = CropExporter(name: "immich") else { throw Problem.nothingHere }
    do throws(CropExporterError) {
      return try exporter.text(for: crop)
    } catch {
      throw Problem(
        .unprocessableContent, code: "gallery-lacks",
        "Immich can't \(error.what); save the crop as a separate photo")
    }
  }

  private func tag(_ answer: GalleryResponse) throws -> String {
    try Self.tag(try decoded(ImmichEdits.self, answer, "edits"))
  }

  /// Identifies edits, independent of their ids.
  private static func tag(_ edits: ImmichEdits) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return Digests.text(Digests.sha256(of: try encoder.encode(edits)).prefix(8))
  }

  private static func parts(of version: String) -> (checksum: String, tag: String?) {
    let parts = version.split(separator: ".").map(String.init)
    return (parts.first ?? "", parts.count > 1 ? parts[1] : nil)
  }
}

extension Immich.Asset {
  /// The file's name without folders and invalid characters.
  fileprivate var name: String { galleryName(originalFileName) }
}

/// A file name provided by a gallery, without folders and invalid characters.
func galleryName(_ text: String) -> String {
  let last = text.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? ""
  let parts = last.split(separator: ".")
  let stem = ResultName.stem(of: String(last))
  guard parts.count > 1, let ending = parts.last, (1...8).contains(ending.utf8.count),
    ending.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
  else { return stem }
  return "\(stem).\(ending)"
}
