import CropImaging
import FoundationEssentials
import Glibc
import Hummingbird
import PhotoLibrary

/// The calls of a WebDAV server (RFC 4918) that CropKit needs: GET, HEAD, PUT and COPY.
struct WebDAV: Sendable {
  let client: GalleryClient
  let engine: CropEngine
  private let keepsVersions: Bool

  init(_ settings: WebDAVSettings, engine: CropEngine) {
    client = GalleryClient(
      title: "WebDAV", address: settings.place,
      credentials: .password(user: settings.user, settings.password))
    self.engine = engine
    keepsVersions = settings.keepsVersions
  }

  /// Fetches a file. Blocks.
  func open(_ path: [String], until stop: CropStop?) throws -> GalleryOriginal {
    let name = galleryName(path.last ?? "")
    let limits = engine.limits
    let (source, answer) = try client.download(
      Self.address(path), most: limits.bytes, limits: limits, name: name, until: stop)
    guard let source else { throw refusal(answer, "reading this file") }
    let info = try engine.info(source, isLenient: true)
    let tag = answer.fields["etag"]
    return GalleryOriginal(
      source: source, info: info, name: name, version: tag ?? "",
      // Without a strong tag it is impossible to check that the file is still the same (RFC 9110,
      // 13.1.1).
      ways: Self.isStrong(tag) ? [.beside, .replace] : [.beside])
  }

  /// Saves a crop next to a file, under the first name that is free or has the same crop. Blocks.
  ///
  /// Many servers ignore `If-None-Match`, so each name is looked up first.
  func beside(_ path: [String], version: String, _ result: GalleryResult) throws -> GallerySaved {
    let original = try found(path)
    guard version.isEmpty || original.tag == version else {
      throw Problem.galleryChanged(client.title)
    }
    let names = Names(path.last ?? "", format: result.format, suffix: "cropped")
    for number in 1...Self.mostNames {
      let name = names[number]
      let place = Array(path.dropLast()) + [name]
      // Another request may take the name after it was looked up, even one for the same crop.
      attempts: for _ in 1...2 {
        let condition: String
        switch try compare(place, with: result.source) {
        case .missing: condition = "If-None-Match: *"
        case .equal: return GallerySaved(name: name, isNew: false)
        // An interrupted upload of this same crop.
        case .start(let tag?): condition = "If-Match: \(tag)"
        case .start(nil), .other: break attempts
        }
        if try add(result, at: place, condition, original) {
          return GallerySaved(name: name, isNew: true)
        }
      }
    }
    throw Self.noName
  }

  /// Uploads a crop as a new file; false if the server reports that the name was taken in the meantime.
  private func add(
    _ result: GalleryResult, at place: [String], _ condition: String, _ original: Found
  ) throws -> Bool {
    let answer = try client.send(put(place, result, condition, of: original))
    if answer.status == 412 { return false }
    guard Self.done.contains(answer.status) else {
      try? removeCut(place, of: result.source)
      throw refusal(answer, "writing to this folder")
    }
    _ = try arrived(result, at: place, answer)
    return true
  }

  /// Replaces a file with its crop. The original is kept next to it, unless the server keeps
  /// versions. Blocks.
  func replace(_ path: [String], version: String, _ result: GalleryResult) throws -> GallerySaved {
    let original = try found(path)
    guard let tag = original.tag, Self.isStrong(tag) else {
      throw Problem(
        .conflict, code: "gallery-untagged",
        "this server does not report whether a file has changed; save the crop beside it")
    }
    guard Self.isSameFormat(path.last ?? "", result.format) else {
      throw Problem(
        .conflict, code: "gallery-format",
        "the crop and the photo have different formats; save the crop beside it")
    }
    var condition = tag
    if tag != version {
      // The connection may have failed after the crop was saved, completely or partly.
      switch try compare(path, with: result.source) {
      case .equal: return GallerySaved(isNew: false, version: tag)
      case .start(let tag?) where !version.isEmpty: condition = tag
      case .start, .other, .missing: throw Problem.galleryChanged(client.title)
      }
    }
    let kept = keepsVersions || condition != version ? nil : try keep(path, original)
    // Many servers ignore `If-Match`, and making the copy took time.
    guard try found(path).tag == condition else {
      try drop(kept, unless: result, isAt: path)
      throw Problem.galleryChanged(client.title)
    }
    switch try upload(put(path, result, "If-Match: \(condition)", of: original)) {
    case .success(let answer):
      let tag = try arrived(result, at: path, answer).tag
      return GallerySaved(isNew: true, kept: kept?.path.last, version: tag)
    case .failure(let problem):
      // A server that failed may have replaced the photo anyway, completely or partly.
      if problem.code == Problem.galleryChanged {
        try drop(kept, unless: result, isAt: path)
      } else if let kept, kept.isNew, try found(path).tag == condition {
        try remove(kept.path)
      }
      throw problem
    }
  }

  /// Removes the copy of a photo that another program has changed. If the photo is the crop, from an
  /// earlier request, the copy is the original.
  private func drop(_ kept: Kept?, unless result: GalleryResult, isAt path: [String]) throws {
    guard let kept, kept.isNew, try compare(path, with: result.source) == .other else { return }
    try remove(kept.path)
  }

  /// Uploads a file; a failure if the server refused it or redirected it.
  private func upload(
    _ put: GalleryRequest
  ) throws(Problem) -> Result<GalleryResponse, Problem> {
    do throws(Problem) {
      let answer = try client.send(put)
      if answer.status == 412 { return .failure(.galleryChanged(client.title)) }
      guard Self.done.contains(answer.status) else {
        return .failure(refusal(answer, "changing this file"))
      }
      return .success(answer)
    } catch {
      guard error.code == Problem.galleryRedirect else { throw error }
      return .failure(error)
    }
  }

  /// The copy of a photo that is replaced.
  private struct Kept {
    let path: [String]
    let isNew: Bool
  }

  /// Copies a file, under the first name that is free or has the same bytes.
  private func keep(_ path: [String], _ original: Found) throws -> Kept {
    let names = Names(path.last ?? "", suffix: "original")
    for number in 1...Self.mostNames {
      let place = Array(path.dropLast()) + [names[number]]
      if try look(place) != nil {
        switch try compare(place, with: fetched(path)) {
        case .equal: return Kept(path: place, isNew: false)
        // A copy that failed earlier, for example because the disk was full.
        case .start(let tag): try remove(place, tag)
        case .missing: break
        case .other: continue
        }
      }
      let answer = try client.send(Self.copy(path, to: place, on: client.address))
      if answer.status == 412 { continue }
      let isDone = Self.done.contains(answer.status)
      if isDone, try look(place)?.count == original.count {
        return Kept(path: place, isNew: true)
      }
      try? removeCut(place, of: fetched(path))
      guard isDone else { throw refusal(answer, "writing to this folder") }
      throw Problem(
        .badGateway, code: "gallery-broken",
        "\(client.title) did not copy the photo completely; nothing was replaced")
    }
    throw Self.noName
  }
}
