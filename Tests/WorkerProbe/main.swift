import CropCore
import CropImaging
import Foundation

if CommandLine.arguments.contains("host") {
  // A program with a busy pool, for the test that kills it.
  let pool = WorkerPool(executable: CommandLine.arguments[0], size: 1, servesOne: true)
  let info = ImageInfo(format: .png, byteCount: 1, stored: BitmapSize(width: 1, height: 1))
  let crop = try CropRecipe().resolved(for: info.shown)
  for name in ["process", CommandLine.arguments.last ?? "sleep"] {
    let result = try pool.crop(
      PixelRequest(
        ImageSource(bytes: Data([0]), name: name), info: info, crop: crop,
        limits: Limits(seconds: 100)))
    try FileHandle.standardOutput.write(contentsOf: result.bytes + Data("\n".utf8))
  }
} else {
  WorkerLoop.run(ProbeBackend())
}
