import Foundation
import Glibc
import Testing

/// Results that go to something other than a plain file, or that can't be written.
@Suite(.serialized, .enabled(if: Picture.areAvailable, "no pictures; see CROPKIT_IMAGES"))
struct OutputTests {
  private let folder: Folder
  private let photo: String

  init() throws {
    folder = try Folder()
    photo = try Picture.named("jpeg-420-227x149.jpg").path
  }

  /// Runs a shell command in the folder; `$crop` crops a small part of the following image, and
  /// `$photo` is a photo.
  private func shell(_ line: String) async throws -> Outcome {
    let words =
      "crop='\(Program.cropkit.path) crop --strip all --rect 16,16,32,32'; photo='\(photo)'; "
    return try await Program.shell(words + line, folder: folder.path)
  }

  private func bytes(_ name: String) throws -> Data { try Data(contentsOf: folder.url(name)) }

  @Test(arguments: [
    "$crop a.jpg -o - >> a.jpg", "$crop ./a.jpg -o - 1<> link.jpg", "$crop - -o - <> a.jpg 1>&0",
    "(dd bs=1 count=1 of=skipped status=none; $crop - -o a.jpg --force) < a.jpg",
  ])
  func `the input is not written to, however it was opened`(line: String) async throws {
    let original = try Data(contentsOf: URL(fileURLWithPath: photo))
    _ = try folder.write(original, as: "a.jpg")
    link(folder.path("a.jpg"), folder.path("link.jpg"))
    let outcome = try await shell(line)
    #expect(try bytes("a.jpg") == original)
    #expect([65, 73].contains(outcome.status), "\(outcome)")
  }

  @Test func `a result has its input's time on request, and only then`() async throws {
    let outcome = try await shell(
      """
      cp $photo a.jpg && touch -d 2001-02-03T04:05:06Z a.jpg && cp -p a.jpg b.jpg
      $crop a.jpg -o plain.jpg
      $crop a.jpg -o kept.jpg --keep-time
      $crop a.jpg b.jpg -d several --keep-time
      $crop b.jpg --in-place --keep-time
      echo '{"input": "a.jpg", "output": "batch.jpg", "aspect": "1:1"}' > list
      '\(Program.cropkit.path)' batch list --keep-time
      """)
    #expect(outcome.status == 0, "\(outcome)")
    func time(_ name: String) -> Int {
      var status = stat()
      return stat(folder.path(name), &status) == 0 ? status.st_mtim.tv_sec : 0
    }
    for name in ["kept.jpg", "several/a.jpg", "several/b.jpg", "b.jpg", "batch.jpg"] {
      #expect(time(name) == 981_173_106, "\(name)")
    }
    #expect(time("plain.jpg") > 981_173_106)
    let streams = try await shell("$crop $photo -o - --keep-time > a")
    #expect(streams.status == 64 && streams.errors.contains("--keep-time"))
  }

  @Test func `standard input is read from its current position`() async throws {
    let original = try Data(contentsOf: URL(fileURLWithPath: photo))
    _ = try folder.write(Data("16 bytes before:".utf8) + original, as: "later.bin")
    let outcome = try await shell(
      "$crop $photo -o one.jpg; (dd bs=16 count=1 of=skipped status=none; $crop - -o two.jpg) < later.bin"
    )
    #expect(outcome.status == 0, "\(outcome)")
    #expect(try bytes("one.jpg") == bytes("two.jpg"))
    let again = try await shell(
      "(dd bs=16 count=1 of=skipped status=none; $crop - -o later.bin --format jpg --force) < later.bin"
    )
    #expect(again.status == 73, "\(again)")
  }

  @Test func `a link to a pipe is followed`() async throws {
    let outcome = try await shell(
      """
      ln -s /proc/self/fd/1 link
      $crop $photo -o one.jpg
      $crop $photo -o /dev/stdout | cat > two.jpg
      $crop $photo -o link --force | cat > three.jpg
      test -L link
      """)
    #expect(outcome.status == 0, "\(outcome)")
    #expect(try !bytes("one.jpg").isEmpty)
    #expect(try bytes("one.jpg") == bytes("two.jpg"))
    #expect(try bytes("one.jpg") == bytes("three.jpg"))
  }

  @Test func `a named pipe is written to if it has a reader`() async throws {
    let outcome = try await shell(
      """
      mkfifo pipe
      $crop $photo -o one.jpg
      exec 3<>pipe 4<pipe; $crop $photo -o pipe; exec 3>&-; cat <&4 > two.jpg; exec 4<&-
      exec $crop $photo -o pipe
      """)
    #expect(outcome.status == 73, "\(outcome)")
    #expect(outcome.lines.last?.hasSuffix("nothing reads from this pipe") == true, "\(outcome)")
    #expect(try !bytes("one.jpg").isEmpty)
    #expect(try bytes("one.jpg") == bytes("two.jpg"))
  }

  @Test(arguments: ["out.jpg", "out.png"])
  func `a file that may not grow so large is a failed write`(name: String) async throws {
    let outcome = try await shell(
      "exec prlimit --fsize=1000 \(Program.cropkit.path) crop $photo -o \(name)")
    #expect(outcome.status == 74, "\(outcome)")
    #expect(outcome.errors.contains("File too large"), "\(outcome)")
    #expect(folder.names.isEmpty)
  }

  @Test func `a file that may not grow so large doesn't end a batch`() async throws {
    func line(_ output: String, side: Int) -> String {
      #"{"input":"\#(photo)","output":"\#(output)","recipe":{"rect":"#
        + #"{"x":0,"y":0,"width":\#(side),"height":\#(side)}}}"#
    }
    let lines = [line("a.jpg", side: 16), line("b.jpg", side: 144), line("c.jpg", side: 16)]
    _ = try folder.write(lines.joined(separator: "\n").utf8, as: "list")
    let outcome = try await shell(
      "exec prlimit --fsize=2000 \(Program.cropkit.path) batch --strip all --jobs 1 list")
    #expect(outcome.status == 1, "\(outcome)")
    #expect(folder.names == ["a.jpg", "c.jpg", "list"])
  }

  @Test(.enabled(if: geteuid() == 0, "only root can be somebody else"))
  func `files of other users in a sticky folder can't be replaced`() async throws {
    chmod(folder.path, 0o1777)
    for name in ["a.jpg", "theirs.jpg"] {
      _ = try folder.write(Data(contentsOf: URL(fileURLWithPath: photo)), as: name)
      chmod(folder.path(name), 0o666)
    }
    let nobody = "setpriv --reuid=65534 --regid=65534 --clear-groups"
    guard try await shell("\(nobody) \(Program.cropkit.path) --version").status == 0 else {
      print("SKIPPED: a file of somebody else, for nobody else can run the program here")
      return
    }
    let outcome = try await shell("\(nobody) $crop a.jpg -o theirs.jpg --force")
    #expect(outcome.status == 73, "\(outcome)")
    #expect(outcome.errors.contains("Operation not permitted"), "\(outcome)")
    #expect(folder.names == ["a.jpg", "theirs.jpg"])
  }

  @Test func `limits are for the picture, not for its result`() async throws {
    let outcome = try await shell(
      "\(Program.cropkit.path) crop $photo --progressive --limit-scans 1 -o out.jpg")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(folder.names == ["out.jpg"])
  }

  @Test func `the input is in the JSON output, whatever the outcome`() async throws {
    let outcome = try await Program.cropkit.run(
      "crop", photo, "--aspect", "1:1", "--max-side", "50", "-o", folder.path("out.png"), "--json")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(
      outcome.text.contains(#""rect":{"height":149,"width":149,"x":32,"y":0}"#), "\(outcome.text)")
  }

  @Test func `a crop that can't be reported exists nevertheless`() async throws {
    let outcome = try await Program.cropkit.run(
      "crop", photo, "-o", folder.path("out.jpg"), "--json", output: "/dev/full")
    #expect(outcome.status == 74, "\(outcome)")
    #expect(
      outcome.lines.last == "cropkit: standard output: no room left on the disk; free some space")
    #expect(folder.names == ["out.jpg"])
  }

  @Test func `the bar and the outcomes share a terminal line by line`() async throws {
    let lines = (1...3).map { #"{"input":"\#(photo)","output":"\#($0).jpg","recipe":{}}"# }
    let list = try folder.write(lines.joined(separator: "\n").utf8, as: "list")
    let outcome = try await shell(
      "script -qec '\(Program.cropkit.path) batch \(list) --jobs 1' /dev/null")
    #expect(outcome.status == 0, "\(outcome)")
    let reported = outcome.text.split(whereSeparator: \.isNewline)
    #expect(reported.contains { $0.contains("of 3") })
    let outcomes = reported.filter { $0.contains(#"{"bytes""#) }
    #expect(outcomes.count == 3, "\(reported)")
    for line in outcomes {
      #expect(line.hasPrefix("{") || line.contains("\u{1B}[K{"), "\(line)")
    }
  }
}
