import Foundation
import Glibc
import Testing

@testable import cropkit

/// Missing resources of the system: one clear line, and never a damaged output file.
@Suite(.serialized, .enabled(if: Picture.areAvailable, "no pictures; see CROPKIT_IMAGES"))
struct SystemFailureTests {
  private let folder: Folder
  private let cropkit = Program.cropkit.path

  init() throws {
    folder = try Folder()
    for (name, picture) in [
      ("a.jpg", "jpeg-420-227x149.jpg"), ("a.png", "png-graya8.png"),
      ("p.jpg", "progressive-100x75.jpg"),
    ] {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: Picture.named(picture).path))
      _ = try folder.write(bytes, as: name)
      chmod(folder.path(name), 0o644)
    }
    let line = #"{"input":"a.png","output":"out.png","recipe":{"quarterTurns":1}}"#
    _ = try folder.write(line.utf8, as: "list")
    chmod(folder.path, 0o777)
  }

  private func shell(_ line: String) async throws -> Outcome {
    try await Program.shell(line, folder: folder.path)
  }

  private var areInputsAlone: Bool { folder.names == ["a.jpg", "a.png", "list", "p.jpg"] }

  @Test(arguments: [
    "crop a.jpg --rect 0,0,8,8 -o - >&-", "crop a.png -o - >&-", "crop a.jpg -o x.jpg --json >&-",
    "crop a.jpg -o - >&- <&-", "crop a.jpg -o - 1</dev/null", "info a.jpg >&-", "batch list >&-",
    "--help >&-", "--version >&-",
  ])
  func `a closed standard output is reported`(words: String) async throws {
    let before = try Data(contentsOf: folder.url("a.jpg"))
    let outcome = try await shell("exec \(cropkit) \(words)")
    #expect([73, 74].contains(outcome.status), "\(outcome)")
    #expect(outcome.lines.count == 1, "\(outcome)")
    #expect(outcome.errors.contains("standard output: "), "\(outcome)")
    #expect(outcome.errors.contains("it is closed or can only be read"), "\(outcome)")
    #expect(areInputsAlone)
    #expect(try Data(contentsOf: folder.url("a.jpg")) == before)
  }

  @Test func `a closed standard input is reported`() async throws {
    for words in ["crop - -o x.jpg <&-", "batch - <&-"] {
      let outcome = try await shell("exec \(cropkit) \(words)")
      #expect([66, 74].contains(outcome.status), "\(outcome)")
      #expect(outcome.lines.count == 1 && outcome.errors.contains("standard input"), "\(outcome)")
    }
    #expect(areInputsAlone)
  }

  @Test func `without standard error nothing else is written to`() async throws {
    let before = try Data(contentsOf: folder.url("a.jpg"))
    let outcome = try await shell("exec \(cropkit) crop a.jpg -o x.jpg <&- >&- 2>&-")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(try Data(contentsOf: folder.url("a.jpg")) == before)
    #expect(try Data(contentsOf: folder.url("x.jpg")) == before)
  }

  /// A prefix for a shell command, to be root in a separate view of the system.
  private static let privately = "exec unshare -m sh -ec '"
  private static let isPrivacyThere =
    geteuid() == 0 && system("unshare -m mount -t tmpfs none /proc 2>/dev/null") == 0

  @Test(.enabled(if: isPrivacyThere, "only root can take /proc away"))
  func `without /proc everything works`() async throws {
    let outcome = try await shell(
      """
      \(Self.privately)mount -t tmpfs none /proc
      \(cropkit) crop a.png --rect 0,0,4,4 -o one.png
      \(cropkit) crop p.jpg --rect 1,1,8,8 -o two.jpg
      \(cropkit) crop a.jpg --rect 0,0,8,16 --in-place
      \(cropkit) batch list >outcomes
      \(cropkit) crop a.png --format heic -o three.heic'
      """)
    #expect(outcome.status == 0, "\(outcome)")
    #expect(
      folder.names == [
        "a.jpg", "a.png", "list", "one.png", "out.png", "outcomes", "p.jpg", "three.heic",
        "two.jpg",
      ])
  }

  @Test(.enabled(if: isPrivacyThere, "only root can take /dev away"))
  func `without /dev/null the error names it`() async throws {
    let outcome = try await shell(
      "\(Self.privately)mount -t tmpfs none /dev; exec \(cropkit) crop a.png --rect 0,0,4,4 -o one.png'"
    )
    #expect(outcome.status == 71, "\(outcome)")
    #expect(outcome.errors.hasPrefix("cropkit: /dev/null can't be"), "\(outcome)")
  }

  @Test(.enabled(if: isPrivacyThere, "only root can make /proc/self/maps unreadable"))
  func `arguments and modules are found without /proc/self/maps`() async throws {
    for (words, output) in [
      ("a.png --format heic --rect 0,0,4,4", "one.heic"), ("p.jpg --rect 1,1,8,8", "two.jpg"),
    ] {
      let outcome = try await shell(
        "\(Self.privately)mount --bind /dev/null /proc/$$/maps; exec \(cropkit) crop \(words) -o \(output)'"
      )
      #expect(outcome.status == 0, "\(outcome)")
      #expect(outcome.errors.hasPrefix("cropkit: \(output): "), "\(outcome)")
      #expect(folder.names.contains(output))
    }
  }

  /// The id of a user without other processes.
  private static let user = "\(1_000_000_000 + Int(getpid()))"

  /// Runs a program as a separate user, who may have this many processes and threads.
  ///
  /// The test ends even if the program does not, by `timeout`, with another status.
  private func limited(to count: Int, _ words: String) async throws -> Outcome {
    let user = Self.user
    return try await shell(
      "exec timeout -s KILL 300 setpriv --reuid \(user) --regid \(user) --clear-groups "
        + "prlimit --nproc=\(count) \(cropkit) \(words)")
  }

  @Test(
    .enabled(if: geteuid() == 0, "only root can be somebody else"), arguments: [1, 2, 3, 4, 6, 8])
  func `the limit on processes is reported immediately, as the only cause`(
    count: Int
  ) async throws {
    guard try await limited(to: 1, "--version").status == 0 else {
      print("SKIPPED: the limit on processes, for nobody else can run the program here")
      return
    }
    let words = "the limit on processes and threads (ulimit -u) is reached"
    // With enough descriptors it works; how many depends on the libraries.
    let crop = try await limited(to: count, "crop a.png --rect 0,0,4,4 -o x.png")
    if crop.status != 0 || count == 1 {
      #expect(crop.status == 71, "\(crop)")
      #expect(crop.lines.count == 1 && crop.errors.contains(words), "\(crop)")
      #expect(areInputsAlone)
    }
    let batch = try await limited(to: count, "batch list --jobs 2")
    if batch.status != 0 || count == 1 {
      #expect(batch.status == 71 || (batch.status == 1 && count > 1), "\(batch)")
      #expect(batch.errors.contains(words), "\(batch)")
      #expect(!folder.names.contains("out.png"))
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only root can be somebody else"))
  func `a batch without threads does not start`() async throws {
    guard try await limited(to: 1, "--version").status == 0 else { return }
    let line = #"{"input":"a.jpg","output":"out.jpg","recipe":{}}"#
    _ = try folder.write(repeatElement(line, count: 9).joined(separator: "\n").utf8, as: "list")
    let outcome = try await limited(to: 3, "batch list --jobs 2")
    #expect(outcome.status == 71, "\(outcome)")
    #expect(outcome.lines.count == 1 && outcome.errors.contains("--jobs 2"), "\(outcome)")
    #expect(outcome.output.isEmpty)
    #expect(areInputsAlone)
  }

  @Test func `a limit on memory that is set outside is named, whatever it stops`() async throws {
    let picture = try Picture.named("heic-iphone-grid-irot3.heic").path
    var statuses: Set<Int32> = []
    // Up to what a worker needs to start, and then to decode; in KiB, as in the shell.
    for limit in [30_000, 60_000, 100_000, 150_000, 200_000, 300_000, 450_000, 700_000] {
      let line = "ulimit -v \(limit); exec \(cropkit)"
      // With less memory, the program itself can't be loaded.
      guard try await shell("\(line) --version").status == 0 else { continue }
      for words in ["a.png --rect 0,0,4,4", "\(picture) --rect 0,0,64,64"] {
        let outcome = try await shell("\(line) crop --limit-seconds 600 \(words) -o x.png --force")
        statuses.insert(outcome.status)
        guard outcome.status != 0 else { continue }
        #expect([70, 71].contains(outcome.status), "\(limit): \(outcome)")
        #expect(
          outcome.lines.count == 1 && outcome.errors.contains("(ulimit -v)"), "\(limit): \(outcome)"
        )
        #expect(!outcome.errors.contains("--limit-memory"), "\(limit): \(outcome)")
      }
    }
    #expect(statuses == [0, 70, 71])
  }

  @Test func `a limit of CropKit's own below one that is set outside is the one that is named`()
    async throws
  {
    let picture = try Picture.named("heic-iphone-grid-irot3.heic").path
    let outcome = try await shell(
      "ulimit -v 8000000; exec \(cropkit) crop \(picture) -o x.png --limit-memory 32M")
    #expect([65, 70].contains(outcome.status), "\(outcome)")
    #expect(outcome.errors.contains("--limit-memory"), "\(outcome)")
  }

  @Test(
    .enabled(if: geteuid() == 0, "only root can be somebody else"), arguments: [SIGTERM, SIGINT],
    [1, 5, 6, 8, 12, 100])
  func `a batch at the limit on processes hears signals`(signal: Int32, count: Int) async throws {
    guard try await limited(to: 1, "--version").status == 0 else {
      print("SKIPPED: a signal at the limit on processes, for nobody else can run the program here")
      return
    }
    // Half of the lines need a worker, half need none.
    let lines = (1...60).map {
      #"{"input":"\#($0 % 2 == 0 ? "a.png" : "a.jpg")","output":"\#($0).out","recipe":"#
        + #"{"rect":{"x":0,"y":0,"width":16,"height":16}}}"#
    }
    _ = try folder.write(lines.joined(separator: "\n").utf8, as: "list")
    let scratch = try Folder()
    let output = try HeldOutput(in: scratch)
    var program = Program("env")
    program.path = "/usr/bin/env"
    let user = Self.user
    // The tests' caller may ignore signals, and ignored signals are inherited.
    let words =
      [
        "--default-signal", "setpriv", "--reuid", user, "--regid", user, "--clear-groups",
        "prlimit", "--nproc=\(count)", cropkit, "batch", folder.path("list"), "--jobs", "1",
        "--format", "png",
      ] + Program.patience
    let running = try program.start(words, output: output.path, errors: scratch.path("errors"))
    // The pipe has no space for all reports: it is running, unless it has stopped.
    try await eventually("it has begun") { try running.isOver || output.byteCount > 1000 }
    let isAtWork = !running.isOver
    running.send(signal)
    try await eventually("the signal is heard") { running.hasHeardAll }
    let reported = try output.release()
    try await eventually("it ends") { running.isOver }
    let status = await running.end()
    let errors = try String(contentsOf: scratch.url("errors"), encoding: .utf8)
    if isAtWork {
      #expect(status == 128 + signal, "\(errors)")
      #expect(
        errors.contains("cropkit: stopped after \(reported.split(separator: "\n").count) of 60"))
    } else {
      #expect(status == 71, "\(errors)")
      #expect(errors.contains("the limit on processes and threads (ulimit -u) is reached"))
    }
    // Without any it can't start, with many it can.
    #expect(isAtWork ? count > 1 : count < 100, "\(errors)")
  }
}
