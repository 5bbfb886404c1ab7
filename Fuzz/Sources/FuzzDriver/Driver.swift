import Glibc

/// Runs a target: under libFuzzer, or over files and seeded mutations of them.
public enum Driver {
  /// One run of the target on some bytes.
  public typealias Target = @Sendable (UnsafeRawBufferPointer) -> Void

  /// Only set once, before anything runs.
  nonisolated(unsafe) private static var target: Target = { _ in }

  /// Runs `target` according to the program's arguments, and exits.
  public static func run(_ target: @escaping Target) -> Never {
    self.target = target
    #if FUZZER
      underLibFuzzer()
    #else
      overFiles()
    #endif
  }

  #if FUZZER
    // libFuzzer has its own `main`; here, it is called like a function instead.
    @_silgen_name("LLVMFuzzerRunDriver")
    private static func runDriver(
      _ count: UnsafeMutablePointer<CInt>,
      _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
      _ target: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
    ) -> CInt

    private static func underLibFuzzer() -> Never {
      var count = CommandLine.argc
      var arguments = CommandLine.unsafeArgv
      exit(
        runDriver(&count, &arguments) { bytes, count in
          Driver.target(UnsafeRawBufferPointer(start: bytes, count: count))
          return 0
        })
    }
  #else
    /// PROGRAM SECONDS FILE…: runs the files, then seeded mutations of them.
    private static func overFiles() -> Never {
      let seconds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 0
      var files: [[UInt8]] = []
      for path in CommandLine.arguments.dropFirst(2) {
        guard let file = fopen(path, "rb") else { continue }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        bytes.removeLast(bytes.count - fread(&bytes, 1, bytes.count, file))
        fclose(file)
        files.append(bytes)
      }
      guard !files.isEmpty else {
        print("usage: \(CommandLine.arguments.first ?? "fuzz") SECONDS FILE...")
        exit(64)
      }
      for file in files { file.withUnsafeBytes(target) }
      var runs = files.count
      var random = SplitMix(state: 1)
      let end = time(nil) + seconds
      while time(nil) < end {
        for _ in 0..<100 {
          var bytes = files[Int(random.next() % UInt64(files.count))]
          for _ in 0...random.next() % 4 where !bytes.isEmpty {
            let at = Int(random.next() % UInt64(bytes.count))
            switch random.next() % 4 {
            case 0: bytes[at] = UInt8(truncatingIfNeeded: random.next())
            case 1: bytes[at] ^= 1 << UInt8(random.next() % 8)
            case 2 where bytes.count > 1: bytes.remove(at: at)
            default: bytes.insert(0xFF, at: at)
            }
          }
          bytes.withUnsafeBytes(target)
        }
        runs += 100
      }
      print("\(runs) runs")
      exit(0)
    }
  #endif
}

/// A seeded random number generator.
struct SplitMix {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
