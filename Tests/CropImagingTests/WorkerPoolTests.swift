import Foundation
import Glibc
import TestMaterial
import Testing

@testable import CropCore
@testable import CropFormats
@testable import CropImaging
@testable import CropJPEG
@testable import CropMetadata
@testable import CropSystem

@Suite struct `The worker pool`: UsesWorkerProbe {
  @Test func `bytes go there and back whole`() throws {
    let bytes = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    let result = try ask(pool(), "echo", bytes: bytes)
    #expect(result.bytes == bytes)
    #expect(result.format == .png)
    #expect(result.size == FrameSize(width: 480, height: 640))
    #expect(result.warnings.map(\.code) == ["probe"])
    #expect(result.isLossless)
  }

  @Test func `a worker may start for as long as an image may take`() throws {
    func pool(_ executable: String, seconds: Int) -> WorkerPool {
      WorkerPool(
        executable: executable, size: 1, recycleAfter: 64, limits: Limits(seconds: seconds),
        secondsToStart: 0)
    }
    #expect(text(try ask(pool(Self.probe, seconds: 600), "echo")) == "picture")
    let scratch = try Scratch()
    let script = try scratch.write("#!/bin/sh\nexec sleep 100000\n", to: "worker")
    chmod(script, 0o700)
    #expect(
      refusal(pool(script, seconds: 0), "echo")
        == .workerDied(file: "echo", detail: "while starting: it was not ready in time"))
  }

  @Test func `a file is read through its descriptor`() throws {
    let scratch = try Scratch()
    let path = try scratch.write("from a file", to: "echo")
    chmod(path, 0)
    let source = try ImageSource(
      adopting: open(path, O_RDWR), name: "echo")
    #expect(text(try ask(pool(), source)) == "from a file")
  }

  @Test func `the crop that arrives is the crop that was sent`() throws {
    let recipes = [
      CropRecipe(),
      CropRecipe(
        rect: FrameRect(x: 3, y: 5, width: 7, height: 11), quarterTurns: 3, isMirrored: true),
      CropRecipe(tilt: CropAngle(degrees: 12.3), shape: .ellipse, output: .maxSide(77)),
      CropRecipe(quarterTurns: 1, shape: .roundedRectangle(radius: 2.5), output: .maxSide(101)),
    ]
    let pool = pool()
    for recipe in recipes {
      let crop = try recipe.resolved(for: ImageSize(width: 480, height: 640))
      #expect(text(try ask(pool, "crop", recipe: recipe)) == "\(crop)")
    }
  }

  @Test func `the options that arrive are those that were sent`() throws {
    let all = ResultOptions(
      format: .webp, quality: 7, subsampling: .s440, lossless: .snap, isBaked: true,
      isProgressive: true, metadata: .stripLocation, convertsToSRGB: true, isLinear: true,
      background: Background(red: 1, green: 20, blue: 255), page: .only(3), isLenient: true,
      provenance: Provenance(
        recipe: CropRecipe(tilt: CropAngle(degrees: 2)), sourceName: "a \"b\"", sourceBytes: 9,
        checksum: "00ff"))
    let pool = pool()
    for options in [all, ResultOptions()] {
      let source = ImageSource(bytes: Data("picture".utf8), name: "options")
      #expect(text(try ask(pool, source, options: options)) == "\(options)")
    }
  }

  @Test func `a crop that does not fit its picture is refused where it arrives`() throws {
    let image = ImageSize(width: 480, height: 640)
    let crop = try CropRecipe(tilt: CropAngle(degrees: 7), output: .maxSide(99)).resolved(
      for: image)
    let sent = CropFields(crop)
    #expect(try sent.crop(of: image) == crop)
    func refusal(_ change: (inout CropFields) -> Void) -> RecipeError? {
      var fields = sent
      change(&fields)
      do throws(RecipeError) {
        _ = try fields.crop(of: image)
        return nil
      } catch { return error }
    }
    #expect(refusal { $0.rect.x += 400 } != nil)
    #expect(refusal { $0.rect.width = .infinity } == .notFinite)
    #expect(refusal { $0.rect = FrameRect(x: 0, y: 0, width: 480, height: 640) } != nil)
    #expect(refusal { $0.tilt = 46 } == .tiltOutOfRange(degrees: 46))
    #expect(refusal { $0.shape = .roundedRectangle(radius: -1) } == .negativeRadius(-1))
    #expect(refusal { $0.output = SizeFields(FrameSize(width: 0, height: 5)) } != nil)
    #expect(refusal { $0.output = SizeFields(FrameSize(width: 70_000, height: 5)) } != nil)
    #expect(throws: RecipeError.self) { try sent.crop(of: ImageSize(width: 100, height: 640)) }
  }

  @Test func `an error of the backend arrives unchanged and keeps the process`() throws {
    let pool = pool()
    let process = text(try ask(pool, "process"))
    #expect(refusal(pool, "wrong") == .corrupt(file: "wrong", detail: "as asked"))
    #expect(text(try ask(pool, "process")) == process)
  }

  @Test func `a process is used again and replaced after its share`() throws {
    let pool = pool(recycleAfter: 3)
    let processes = try (0..<7).map { _ in text(try ask(pool, "process")) }
    #expect(Set(processes).count == 3)
    #expect(processes[0] == processes[2])
    #expect(processes[2] != processes[3])
    #expect(isGone(try #require(pid_t(processes[0]))))
  }

  /// The process that handles an image of `principal`.
  private func process(_ pool: WorkerPool, for principal: String?) throws -> String {
    try CropPrincipal.$current.withValue(principal.map { CropPrincipal($0) }) {
      text(try ask(pool, "process"))
    }
  }

  @Test func `a process serves one principal, and ends before another one is served`() throws {
    let pool = pool(servesOne: false)
    let first = try process(pool, for: "a")
    #expect(try process(pool, for: "a") == first)
    let second = try process(pool, for: "b")
    #expect(second != first)
    #expect(isGone(try #require(pid_t(first))))
    #expect(try process(pool, for: "b") == second)
    let third = try process(pool, for: "a")
    #expect(third != first && third != second)
  }

  @Test func `principals keep their processes as long as there is room`() throws {
    let pool = pool(size: 2, servesOne: false)
    let processes = try ["a", "b"].map { try process(pool, for: $0) }
    #expect(try ["a", "b", "a"].map { try process(pool, for: $0) } == processes + [processes[0]])
    // The one that has rested longest makes room.
    _ = try process(pool, for: "c")
    #expect(isGone(try #require(pid_t(processes[1]))))
    #expect(try process(pool, for: "a") == processes[0])
  }

  @Test func `without a principal each image has a process of its own`() throws {
    let pool = pool(size: 2, servesOne: false)
    try pool.warmUp()
    let processes = try (0..<4).map { _ in try process(pool, for: nil) }
    #expect(Set(processes).count == 4)
    for process in processes { #expect(isGone(try #require(pid_t(process)))) }
  }

  @Test func `crops of one image share a process without a principal, and no other`() throws {
    let pool = pool(servesOne: false)
    let demand = SharedPixels.Demand(rect: ImageRect(x: 0, y: 0, width: 8, height: 8), count: 128)
    func process(_ shared: SharedPixels) throws -> String {
      let source = ImageSource(bytes: Data("picture".utf8), name: "process")
      return text(try ask(pool, source.forSeveralCrops(sharing: shared)))
    }
    let (one, other) = (SharedPixels(demand), SharedPixels(demand))
    let first = try process(one)
    #expect(try process(one) == first)
    #expect(try process(other) != first)
  }

  @Test func `processes for principals start as copies of one, or by themselves without it`() throws
  {
    let pool = pool(size: 3, servesOne: false)
    func number(_ principal: String) throws -> pid_t {
      try #require(pid_t(process(pool, for: principal)))
    }
    let processes = try [number("a"), number("b")]
    let first = getpgid(processes[0])
    #expect(first == getpgid(processes[1]) && !processes.contains(first))
    #expect(kill(first, SIGKILL) == 0)
    #expect(getpgid(try number("c")) != first)
    #expect(try number("a") == processes[0])
  }

  @Test func `the processes of a principal that ends end`() throws {
    let pool = pool(size: 3, servesOne: false)
    let processes = try ["a", "b", "c"].map { try process(pool, for: $0) }
    pool.end(servingOnly: CropPrincipal("b"))
    #expect(isGone(try #require(pid_t(processes[1]))))
    #expect(try process(pool, for: "a") == processes[0])
    pool.end()
    #expect(isGone(try #require(pid_t(processes[2]))))
    #expect(try process(pool, for: "a") != processes[0])
  }

  @Test func `no new block holds bytes of a freed one`() throws {
    #expect(text(try ask(pool(), "stale")) == "0")
  }

  @Test func `crops that share pixels go to the process that has them`() throws {
    let pool = pool(size: 2)
    let demand = SharedPixels.Demand(
      rect: ImageRect(x: 0, y: 0, width: 8, height: 8), count: 128)
    let pictures = [SharedPixels(demand), SharedPixels(demand)]
    @Sendable func process(_ shared: SharedPixels) throws -> String {
      let source = ImageSource(bytes: Data("picture".utf8), name: "process")
      return text(try ask(pool, source.forSeveralCrops(sharing: shared)))
    }
    // Both are busy until the file has content, so there are two.
    let scratch = try Scratch()
    let path = try scratch.write("", to: "meet")
    let source = try ImageSource(adopting: open(path, O_RDONLY), name: "meet")
    Thread.detachNewThread {
      _ = eventually { pool.busyCount == 2 }
      try? Data("now".utf8).write(to: URL(fileURLWithPath: path), options: [])
    }
    let processes = atOnce(2) { number in
      (try? ask(pool, source.forSeveralCrops(sharing: pictures[number]))).map(text)
    }
    #expect(Set(processes.compactMap(\.self)).count == 2)
    for _ in 0..<3 {
      for (shared, known) in zip(pictures, processes) {
        #expect(try process(shared) == known)
      }
    }
    // Other pixels have no reserved process, and none is started for them.
    #expect(processes.contains(try process(SharedPixels(demand))))
  }

  @Test func `pictures wait for their turn`() {
    let pool = pool(size: 2, recycleAfter: 5)
    let answers = atOnce(24) { number in
      (try? ask(pool, "echo", bytes: Data("\(number)".utf8))).map(text)
    }
    #expect(answers == (0..<24).map(String.init))
  }

  @Test func `a sandboxed engine without a worker is an error when it is made`() {
    for worker in ["/nowhere/cropkit-worker", "/bin/true"] {
      let error = failure { () throws(CropError) in
        _ = try CropEngine.sandboxed(worker: worker)
      }
      #expect(error?.code == "component-missing", "\(worker)")
    }
  }

  /// A JPEG with the given kind of frame, in which libjpeg would find no scan.
  private func jpeg(_ marker: UInt8) -> ImageSource {
    var frame = HandMade.frame(16, 8)
    frame[1] = marker
    return ImageSource(bytes: Data(HandMade.jpeg(frame: frame)), name: "process")
  }

  @Test(
    arguments: [(0xC2, nil), (0xC9, nil), (0xC0, .png), (0xC2, .png)] as [(UInt8, ImageFormat?)])
  func `a sandboxed engine gives JPEGs that libjpeg reads to a worker`(
    marker: UInt8, format: ImageFormat?
  ) throws {
    let engine = try CropEngine.sandboxed(worker: Self.probe, size: 1, limits: Self.patient)
    let source = jpeg(marker)
    let info = ImageInfo(
      format: .jpeg, byteCount: source.byteCount, stored: BitmapSize(width: 16, height: 8))
    let crop = try CropRecipe(rect: FrameRect(x: 3, y: 2, width: 5, height: 4))
      .resolved(for: info.shown)
    let options = ResultOptions(format: format, lossless: .never)
    let result = try engine.backend.crop(
      PixelRequest(source, info: info, crop: crop, options: options, limits: Self.patient))
    #expect(pid_t(text(result)) != getpid())
    #expect(result.warnings.map(\.code) == ["probe"])
  }

  @Test func `a missing worker says what to do`() throws {
    let missing = WorkerPool(executable: "/nowhere/cropkit-worker")
    let error = refusal(missing, "echo")
    #expect(error?.code == "component-missing")
    #expect(error?.httpStatus == 501)
    #expect(error?.description.contains("cropkit-worker") == true)
    let none = WorkerPool(executable: "/bin/true")
    #expect(refusal(none, "echo")?.code == "component-missing")
  }

  @Test func `a death while it starts is a death, a program that can't start is missing`() throws {
    let scratch = try Scratch()
    func code(_ name: String) throws -> Int32? {
      let path = scratch.file(name)
      #expect(symlink(Self.probe, path) == 0)
      return refusal(WorkerPool(executable: path, size: 1), "echo")?.exitStatus
    }
    #expect(try code("probe-killed") == 70)
    #expect(try code("probe-missing") == 69)
  }

  @Test func `a library that a worker misses is named, and who has it`() throws {
    let scratch = try Scratch()
    let path = scratch.file("probe-unlinked")
    #expect(symlink(Self.probe, path) == 0)
    let error = withExtendedLifetime(scratch) { refusal(WorkerPool(executable: path), "x") }
    #expect(error?.code == "component-missing")
    #expect(error?.description.hasPrefix("the library libvips.so.42 is missing; ") == true)
    #expect(error?.description.contains("install libvips42") == true)
  }

  @Test func `a cancelled picture costs no time`() throws {
    let pool = pool()
    let process = try #require(pid_t(text(try ask(pool, "process"))))
    let stop = CropStop()
    Thread.detachNewThread {
      _ = isAt("sleep", process)
      stop.cancel()
      stop.cancel()
    }
    // Without the cancellation, the time limit would stop it.
    CropStop.$current.withValue(stop) {
      #expect(refusal(pool, "sleep") == .cancelled)
    }
    #expect(stop.isCancelled)
    #expect(isGone(process))
    #expect(text(try ask(pool, "echo")) == "picture")
  }

  @Test func `cancelling while all processes are busy does not wait for one`() throws {
    let pool = pool()
    let process = try #require(pid_t(text(try ask(pool, "process"))))
    let busy = CropStop()
    let isOver = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      CropStop.$current.withValue(busy) { _ = refusal(pool, "sleep") }
      isOver.signal()
    }
    try #require(isAt("sleep", process))
    for isWaiting in [false, true] {
      let stop = CropStop()
      if isWaiting {
        Thread.detachNewThread {
          _ = eventually { pool.waitingCount == 1 }
          stop.cancel()
        }
      } else {
        stop.cancel()
      }
      CropStop.$current.withValue(stop) {
        #expect(refusal(pool, "echo") == .cancelled)
      }
      // The previous image is still being processed.
      #expect(pool.busyCount == 1)
      #expect(pool.waitingCount == 0)
    }
    busy.cancel()
    isOver.wait()
    #expect(text(try ask(pool, "echo")) == "picture")
  }
}
