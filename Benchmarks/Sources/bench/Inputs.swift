import Glibc

/// The images to crop, generated once.
///
/// They are generated in separate processes, since the memory of this process is included in that of every
/// program it runs.
struct Inputs {
  let folder: String
  /// This program.
  let program: String

  /// A JPEG of one kind, `scale` times as wide and high as 4032 × 3024; exits if it can't be made.
  func jpeg(_ kind: Lossless.Kind, scale: Int) -> String {
    let path = "\(folder)/\(scale)-\(kind.name.asFileName).jpg"
    if access(path, R_OK) == 0 { return path }
    let picture = ppm(scale: scale)
    let cjpeg =
      ["cjpeg", "-quality", "90", "-sample", "2x2"] + kind.encoder + ["-outfile", path, picture]
    guard cost(of: cjpeg) != nil else { stop("cjpeg") }
    // Large ones are generated again when they are needed.
    if scale > 1 { unlink(picture) }
    return path
  }

  /// The same JPEG with an EXIF orientation that turns it (6).
  func sideways(_ path: String) -> String {
    let target = "\(folder)/1-sideways.jpg"
    if access(target, R_OK) == 0 { return target }
    let exif: [UInt8] =
      [0xFF, 0xE1, 0, 34] + Array("Exif\0\0MM\0*".utf8)
      + [0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]
    guard let from = fopen(path, "rb"), let to = fopen(target, "wb") else { stop("a file") }
    defer {
      fclose(from)
      fclose(to)
    }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    guard fread(&buffer, 1, 2, from) == 2 else { stop("a file") }
    fwrite(buffer, 1, 2, to)
    fwrite(exif, 1, exif.count, to)
    while case let count = fread(&buffer, 1, buffer.count, from), count > 0 {
      fwrite(buffer, 1, count, to)
    }
    return target
  }

  private func ppm(scale: Int) -> String {
    let path = "\(folder)/\(scale).ppm"
    if access(path, R_OK) == 0 { return path }
    // Larger ones are tiles of the first one, which have the same statistics and only take seconds.
    let arguments =
      scale == 1 ? ["--make", "1", path] : ["--tile", "\(scale)", ppm(scale: 1), path]
    guard cost(of: [program] + arguments) != nil else { stop("a picture in \(folder)") }
    return path
  }

  private func stop(_ what: String) -> Never {
    print("bench: can't make its inputs (\(what)); are cjpeg and jpegtran installed?")
    exit(69)
  }

  /// Generates an image as PPM.
  static func makePicture(scale: Int, at path: String) -> Bool {
    var picture = Picture(width: 4032 * scale, height: 3024 * scale)
    return picture.write(to: path)
  }

  /// Tiles `scale` × `scale` copies of an image of 4032 × 3024 pixels.
  static func tile(_ source: String, scale: Int, at path: String) -> Bool {
    guard let from = fopen(source, "rb"), let to = fopen(path, "wb") else { return false }
    defer {
      fclose(from)
      fclose(to)
    }
    let header = Array("P6 4032 3024 255\n".utf8)
    fputs("P6 \(4032 * scale) \(3024 * scale) 255\n", to)
    var row = [UInt8](repeating: 0, count: 4032 * 3)
    for _ in 0..<scale {
      fseek(from, header.count, SEEK_SET)
      for _ in 0..<3024 {
        guard fread(&row, 1, row.count, from) == row.count else { return false }
        for _ in 0..<scale where fwrite(row, 1, row.count, to) != row.count { return false }
      }
    }
    return true
  }
}
