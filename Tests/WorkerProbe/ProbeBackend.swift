import CropCore
import CropImaging
import Foundation
import Glibc

/// A backend that misbehaves as the picture's name says.
struct ProbeBackend: PixelBackend {
  /// Ends at once if the program is called so.
  func warmUp() throws(CropError) {
    let name = CommandLine.arguments[0]
    if name.hasSuffix("-killed") { _ = die(SIGKILL) }
    if name.hasSuffix("-missing") { exit(127) }
  }

  func crop(
    _ source: PictureSource, info: ImageInfo, crop: ResolvedCrop, options: ResultOptions,
    limits: Limits
  ) throws(CropError) -> CropResult {
    let words = source.name.split(separator: " ").map(String.init)
    let bytes: Data
    switch words.first {
    case "echo": bytes = try source.allBytes()
    case "process": bytes = Data("\(getpid())".utf8)
    case "pause":
      usleep(500_000)
      bytes = Data("\(getpid())".utf8)
    case "large": bytes = Data(repeating: 7, count: Int(words[1]) ?? 0)
    case "crop": bytes = Data("\(crop)".utf8)
    case "die": bytes = die(Int32(words[1]) ?? SIGKILL)
    case "exit": exit(3)
    case "sleep": bytes = Data("\(sleep(100))".utf8)
    case "spin": bytes = spin()
    case "hog": bytes = hog()
    case "try": bytes = Data(attempt(words[1]).utf8)
    default: throw .corrupt(file: source.name, detail: "as asked")
    }
    return CropResult(
      bytes: bytes, format: .png, size: crop.output,
      warnings: [CropWarning(code: "probe", message: "probed")], isLossless: true)
  }

  func preview(
    _ source: PictureSource, info: ImageInfo, maxSide: Int, options: ResultOptions, limits: Limits
  ) throws(CropError) -> CropResult {
    CropResult(
      bytes: Data("\(maxSide)".utf8), format: .jpeg, size: FrameSize(width: maxSide, height: 1))
  }

  private func die(_ number: Int32) -> Data {
    kill(getpid(), number)
    raise(number)
    while true { sleep(1) }
  }

  private func spin() -> Data {
    var number: UInt64 = 0
    while true { number &+= 1 }
  }

  /// Takes memory and uses it until there is no more.
  private func hog() -> Data {
    while true {
      let size = 16 << 20
      guard let block = malloc(size) else { abort() }
      memset(block, 1, size)
    }
  }

  /// What the system answers to something that no decoder needs.
  private func attempt(_ what: String) -> String {
    var failed = false
    switch what {
    case "open": failed = open("/etc/hostname", O_RDONLY) < 0
    case "create": failed = open("/tmp/cropkit-probe", O_WRONLY | O_CREAT, 0o600) < 0
    case "socket": failed = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) < 0
    case "stat":
      var status = stat()
      failed = lstat("/etc/hostname", &status) < 0
    case "kill": failed = kill(getppid(), 0) < 0
    case "start":
      var child = pid_t()
      let arguments: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
      failed = posix_spawn(&child, "/bin/true", nil, nil, arguments, nil) != 0
    case "thread":
      var thread = pthread_t()
      failed = pthread_create(&thread, nil, { _ in nil }, nil) != 0
      if !failed { pthread_join(thread, nil) }
    default: return "unknown"
    }
    return failed ? "refused" : "allowed"
  }
}
