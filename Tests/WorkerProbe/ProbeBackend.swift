import CSystemCalls
import CropCore
import CropImaging
import Foundation
import Glibc

/// A backend that misbehaves as the image's name says.
struct ProbeBackend: PixelBackend {
  /// Exits immediately if the program has this name.
  func warmUp() throws(CropError) {
    let name = CommandLine.arguments[0]
    if name.hasSuffix("-killed") { _ = die(SIGKILL) }
    if name.hasSuffix("-missing") { exit(127) }
    if name.hasSuffix("-unlinked") {
      // Prints and exits like the dynamic loader. A script written by the test could not always be
      // started: while another test starts a process, that process has the script open for writing.
      let words = "libvips.so.42: cannot open shared object file: No such file or directory"
      FileHandle.standardError.write(
        Data("\(name): error while loading shared libraries: \(words)\n".utf8))
      exit(127)
    }
  }

  func crop(_ request: PixelRequest) throws(CropError) -> CropResult {
    let (source, crop) = (request.source, request.crop)
    let words = source.name.split(separator: " ").map(String.init)
    // The current task can be read in /proc.
    Thread.current.name = words[0]
    let bytes: Data
    switch words.first {
    case "echo": bytes = try source.allBytes()
    case "process": bytes = Data("\(getpid())".utf8)
    case "meet":
      // Waits until the test has written something to the image.
      let first = UnsafeMutableRawBufferPointer.allocate(byteCount: 1, alignment: 1)
      while try source.read(into: first, at: 0) == 0 { usleep(1000) }
      bytes = Data("\(getpid())".utf8)
    case "large": bytes = Data(repeating: 7, count: Int(words[1]) ?? 0)
    case "crop": bytes = Data("\(crop)".utf8)
    case "options": bytes = Data("\(request.options)".utf8)
    case "die": bytes = die(Int32(words[1]) ?? SIGKILL)
    case "exit": exit(3)
    case "sleep": bytes = Data("\(sleep(100))".utf8)
    case "nap":
      // Longer than the limit of the test.
      sleep(2)
      bytes = Data("rested".utf8)
    case "spin": bytes = spin()
    case "hog": bytes = try hog(words[1], name: source.name)
    case "stale": bytes = Data("\(staleBytes())".utf8)
    case "try": bytes = Data(attempt(words[1]).utf8)
    default: throw .corrupt(file: source.name, detail: "as asked")
    }
    return CropResult(
      bytes: bytes, format: .png, size: crop.output,
      warnings: [CropWarning(code: "probe", message: "probed")], isLossless: true)
  }

  /// The number of bytes of freed blocks that new ones of the same size still have.
  private func staleBytes() -> Int {
    var found = 0
    for size in [16, 100, 1000, 10_000, 1_000_000] {
      let old = (0..<32).map { _ in UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
      }
      for block in old { memset(block, 0x5A, size) }
      for block in old { block.deallocate() }
      for _ in old {
        // Not given back, so that each is another block.
        let new = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        found += UnsafeRawBufferPointer(start: new, count: size).count { $0 != 0 }
      }
    }
    return found
  }

  func preview(
    _ source: ImageSource, info: ImageInfo, maxSide: Int, options: ResultOptions, limits: Limits
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

  /// Allocates more memory than is available, and exits like a library that does not expect that to
  /// fail.
  private func hog(_ end: String, name: String) throws(CropError) -> Data {
    switch end {
    case "array":
      var bytes = [UInt8](repeating: 1, count: 1 << 20)
      while true { bytes += bytes }
    case "stacks":
      var thread = pthread_t()
      while pthread_create(&thread, nil, { _ in restForEver() }, nil) == 0 {}
    case "blocks":
      while let block = malloc(16 << 20) { memset(block, 1, 16 << 20) }
    default:
      guard malloc(1 << 40) == nil else { return Data("there is as much".utf8) }
    }
    switch end {
    case "null": UnsafeMutablePointer<UInt8>(bitPattern: 8)?.pointee = 1
    case "blame": throw .corrupt(file: name, detail: "as libraries say")
    case "cope": return Data("coped".utf8)
    default: break
    }
    abort()
  }

  /// The system's response to a call that no decoder needs.
  private func attempt(_ what: String) -> String {
    var failed = false
    switch what {
    case "open": failed = open("/etc/hostname", O_RDONLY) < 0
    case "create": failed = open("/tmp/cropkit-probe", O_WRONLY | O_CREAT, 0o600) < 0
    case "socket": failed = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) < 0
    case "stat":
      var status = stat()
      failed = lstat("/etc/hostname", &status) < 0
    case "look":
      // A path together with the flag that makes an empty path mean the open file.
      var status = stat()
      failed = fstatat(AT_FDCWD, "/etc/hostname", &status, 0x1000) < 0
    case "kill": failed = kill(getppid(), 0) < 0
    // A file that signals another process when it becomes readable.
    case "own": failed = fcntl(3, F_SETOWN, getppid()) < 0
    case "async": failed = fcntl(3, F_SETFL, O_ASYNC) < 0
    case "memory": failed = ckc_system_memory_file("probe") < 0
    case "execute":
      let executable = PROT_READ | PROT_WRITE | PROT_EXEC
      let new = mmap(nil, 4096, executable, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
      let plain = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
      guard plain != MAP_FAILED else { return "no memory" }
      failed = new == MAP_FAILED && mprotect(plain, 4096, PROT_READ | PROT_EXEC) < 0
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

/// The body of a thread that never ends.
private func restForEver() -> UnsafeMutableRawPointer? {
  while true { sleep(100) }
}
