import Foundation
import Glibc
import Testing

@testable import cropkit

/// `cropkit batch --stream`, as a process that another program uses.
@Suite(.serialized, .enabled(if: Picture.areAvailable, "no pictures; see CROPKIT_IMAGES"))
struct StreamTests {
  private let folder: Folder
  private let photo: String

  init() throws {
    folder = try Folder()
    photo = try Picture.named("jpeg-420-227x149.jpg").path
  }

  private func line(_ input: String, _ output: String, x: Int = 0, id: String? = nil) -> String {
    let start = id.map { #"{"id":\#($0),"# } ?? "{"
    return start + #""input":"\#(input)","output":"\#(output)","recipe":{"rect":"#
      + #"{"x":\#(x),"y":0,"width":32,"height":16}}}"#
  }

  /// Runs a conversation on a separate thread; returns the exit status and standard error.
  private func talk(
    _ batch: StreamedBatch, _ words: @escaping @Sendable (StreamedBatch) throws -> Void
  ) async throws -> (status: Int32, errors: String) {
    try await onOwnThread { try words(batch) }
    return (await batch.running.end(), batch.errors)
  }

  @Test(arguments: [[], ["--unordered"]])
  func `a line is answered before the next one is written`(options: [String]) async throws {
    let batch = try StreamedBatch("--jobs", "2", options.first ?? "--force", in: folder)
    let end = try await talk(batch) { batch in
      for number in 1...5 {
        try batch.send(line(photo, "\(number).jpg", x: 8 * number, id: "\"no \(number)\""))
        let answer = try #require(try batch.answer())
        #expect(answer.isOK && answer.line == number, "\(answer)")
        #expect(answer.fields["id"] as? String == "no \(number)")
        #expect(answer.fields["seconds"] as? Double != nil)
        #expect(answer.fields["output"] as? String == "\(number).jpg")
      }
      batch.closeInput()
      #expect(try batch.answer() == nil)
    }
    #expect(end == (0, "cropkit: 5 crops done\n"))
    #expect(folder.names.count == 5)
  }

  /// An image whose end a test holds back.
  private func heldPicture() throws -> Int32 {
    let path = folder.path("held.jpg")
    try #require(mkfifo(path, 0o600) == 0)
    let raw = open(path, O_RDWR | O_CLOEXEC)
    try #require(raw >= 0)
    return raw
  }

  private func release(_ held: Int32) throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: photo))
    #expect(bytes.withUnsafeBytes { write(held, $0.baseAddress, $0.count) } == bytes.count)
    // Output that nobody has read by then would be lost.
    var left: Int32 = 1
    for _ in 0..<30_000 where left > 0 {
      usleep(10_000)
      _ = ioctl(held, UInt(FIONREAD), &left)
    }
    #expect(left == 0)
    close(held)
  }

  @Test func `answers keep the order of the lines`() async throws {
    let held = try heldPicture()
    let batch = try StreamedBatch("--jobs", "2", in: folder)
    let (first, second) = (line("held.jpg", "1.jpg"), line(photo, "2.jpg"))
    try await onOwnThread {
      try batch.send(first)
      try batch.send(second)
    }
    try await eventually("the second is done, and only the first keeps it from being answered") {
      folder.names.contains("2.jpg") && batch.running.isAtRest
    }
    #expect(!batch.isAnswering)
    try release(held)
    let end = try await talk(batch) { batch in
      batch.closeInput()
      let lines = try batch.rest().map(\.line)
      #expect(lines == [1, 2])
    }
    #expect(end.status == 0, "\(end)")
  }

  @Test func `unordered, finished crops are reported, whatever came before`() async throws {
    let held = try heldPicture()
    let batch = try StreamedBatch("--jobs", "2", "--unordered", in: folder)
    let end = try await talk(batch) { batch in
      try batch.send(line("held.jpg", "1.jpg", id: "1"))
      for number in 2...9 {
        try batch.send(line(photo, "\(number).jpg", id: "\(number)"))
        let answer = try #require(try batch.answer())
        #expect(answer.fields["id"] as? Int == number && answer.line == number)
      }
      try release(held)
      batch.closeInput()
      let lines = try batch.rest().map(\.line)
      #expect(lines == [1])
    }
    #expect(end == (0, "cropkit: 9 crops done\n"))
  }

  @Test func `lines about one picture that come together read it once`() async throws {
    let held = try heldPicture()
    let batch = try StreamedBatch("--jobs", "1", in: folder)
    let lines = (0..<16).map { "\(line("held.jpg", "\($0).jpg", x: $0))\n" }.joined()
    let end = try await talk(batch) { batch in
      // Few enough bytes to arrive in one piece. Opening the pipe again would find nothing in it.
      #expect(lines.utf8.count < PIPE_BUF)
      try batch.write(Data(lines.utf8))
      try release(held)
      batch.closeInput()
      let codes = try batch.rest().compactMap(\.code)
      #expect(codes == [])
    }
    #expect(end == (0, "cropkit: 16 crops done\n"))
  }

  @Test func `lines stay in the pipe while the output is not read`() async throws {
    let batch = try StreamedBatch("--jobs", "1", in: folder)
    let bad = #"{"input":"missing.jpg","output":"a.jpg","aspect":"1:1"}"#
    // Two pipes of 64 KiB, one read, and 128 lines.
    let most = 3 * (1 << 16) / bad.utf8.count + 200
    var sent = 0
    // A program that keeps reading would empty the pipe again and again.
    try await eventually("it sleeps while lines lie in a pipe that takes no more of them") {
      sent += batch.sendWhileTaken(bad)
      return sent > most || (batch.running.isAtRest && !batch.takesMore)
    }
    #expect(sent <= most)
    #expect(batch.waitingBytes > 0)
    let all = sent
    let end = try await talk(batch) { batch in
      batch.closeInput()
      let lines = try batch.rest().compactMap(\.line)
      #expect(lines == Array(1...all))
    }
    #expect(end.status == 1)
  }

  @Test func `invalid lines get responses among others`() async throws {
    let batch = try StreamedBatch("--jobs", "2", in: folder)
    let long = #"{"input":"\#(String(repeating: "x", count: 1 << 20))","output":"a.jpg"}"#
    let lines = [
      "nonsense", line(photo, "a.jpg"), "[1]", "", "{}", long, line("missing.jpg", "b.jpg"),
      #"{"id":[1],"input":"a","output":"b","aspect":"1:1"}"#, line(photo, "c.jpg"), "{",
      #"{"id":2,"input":"a","output":"b","aspekt":"1:1"}"#,
      #"{"input":"a","output":{"bytes":false},"aspect":"1:1"}"#, line(photo, "d.jpg"),
    ]
    let end = try await talk(batch) { batch in
      for line in lines { try batch.send(line) }
      batch.closeInput()
      let answers = try batch.rest()
      #expect(answers.map(\.line) == [1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13])
      let fine = answers.filter(\.isOK)
      #expect(fine.map { $0.fields["output"] as? String } == ["a.jpg", "c.jpg", "d.jpg"])
      #expect(answers.filter { !$0.isOK }.allSatisfy { !$0.message.isEmpty })
      #expect(answers[9].fields["id"] as? Int == 2)
      #expect(answers[6].message.contains("a string or a number"))
    }
    #expect(end == (1, "cropkit: 9 of 12 crops failed\n"))
  }

  @Test func `a file or a pipe of lines is a stream too, with paths relative to it`() async throws {
    _ = try folder.write("\(line(photo, "a.jpg"))\n\(line(photo, "b.jpg"))".utf8, as: "list")
    let outcome = try await Program.cropkit.run("batch", "--stream", folder.path("list"))
    #expect(outcome.status == 0, "\(outcome)")
    #expect(folder.names == ["a.jpg", "b.jpg", "list"])
    let again = try await Program.cropkit.run("batch", folder.path("list"), "--stream", "--resume")
    #expect(again.lines == ["cropkit: 2 crops done, 2 of them skipped"])
  }

  @Test func `lines of targets have an answer for each`() async throws {
    let batch = try StreamedBatch(in: folder)
    let targets = #"{"id":"x","input":"\#(photo)","targets":"social","directory":"out"}"#
    let end = try await talk(batch) { batch in
      try batch.send(targets)
      for _ in 1...6 {
        let answer = try #require(try batch.answer())
        #expect(answer.isOK && answer.line == 1 && answer.fields["id"] as? String == "x")
        #expect(answer.fields["target"] is String)
      }
      try batch.send(
        #"{"input":{"bytes":2},"targets":"social","directory":"out"}"#, bytes: Data("{}".utf8))
      let answer = try #require(try batch.answer())
      #expect(answer.code == "usage" && answer.line == 2)
      batch.closeInput()
    }
    #expect(end == (1, "cropkit: 1 of 7 crops failed\n"))
  }

  @Test func `without --force no existing file is replaced`() async throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: photo))
    _ = try folder.write(bytes, as: "a.jpg")
    let batch = try StreamedBatch("--jobs", "3", in: folder)
    let end = try await talk(batch) { batch in
      for name in ["b.jpg", "./b.jpg", "a.jpg", "c.jpg", "sub/../c.jpg", "b.jpg"] {
        try batch.send(line("a.jpg", name))
      }
      try batch.send(line("b.jpg", "a.jpg"))
      batch.closeInput()
      let codes = try batch.rest().map(\.code)
      #expect(
        codes == [
          nil, "output-exists", "output-is-input", nil, "output-uncreatable", "output-exists",
          "output-exists",
        ])
    }
    #expect(end.status == 1)
    #expect(try Data(contentsOf: folder.url("a.jpg")) == bytes)
  }

  @Test func `with --force an earlier input or output is rejected`() async throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: photo))
    for name in ["a.jpg", "b.jpg", "c.jpg"] { _ = try folder.write(bytes, as: name) }
    symlink("a.jpg", folder.path("link.jpg"))
    let batch = try StreamedBatch("--force", in: folder)
    let end = try await talk(batch) { batch in
      let lines = [
        ("a.jpg", "d.jpg"), ("b.jpg", "a.jpg"), ("b.jpg", "link.jpg"), ("b.jpg", "./d.jpg"),
        ("a.jpg", "c.jpg"), ("c.jpg", "b.jpg"), ("a.jpg", "/dev/null"), ("a.jpg", "/dev/null"),
      ]
      for (input, output) in lines { try batch.send(line(input, output)) }
      batch.closeInput()
      let codes = try batch.rest().map(\.code)
      #expect(
        codes == [
          nil, "output-is-input", "output-is-input", "output-uncreatable", nil, "output-is-input",
          nil, nil,
        ])
    }
    #expect(end.status == 1)
    #expect(try Data(contentsOf: folder.url("a.jpg")) == bytes)
    #expect(try Data(contentsOf: folder.url("b.jpg")) == bytes)
  }

  @Test func `a closed reader ends it, even without another line`() async throws {
    let batch = try StreamedBatch(in: folder)
    let end = try await talk(batch) { batch in
      try batch.send(line(photo, "a.jpg"))
      #expect(try batch.answer()?.isOK == true)
      batch.closeOutput()
    }
    #expect(end.status == 74)
    #expect(end.errors == "cropkit: standard output: writing failed: nothing reads it\n")
  }

  @Test func `a closed reader ends it while lines come`() async throws {
    let batch = try StreamedBatch("--jobs", "2", in: folder)
    let end = try await talk(batch) { batch in
      batch.closeOutput()
      // As many as it accepts; the pipe to a program that has exited accepts none.
      var number = 0
      while (try? batch.send(line(photo, "\(number).jpg"))) != nil { number += 1 }
    }
    #expect(end.status == 74)
    #expect(end.errors.hasPrefix("cropkit: standard output: writing failed: "), "\(end)")
    #expect(folder.names.allSatisfy { $0.hasSuffix(".jpg") && !$0.hasPrefix(".") })
  }

  @Test func `an unfinished line gets a response, and all before it are done`() async throws {
    let batch = try StreamedBatch(in: folder)
    let end = try await talk(batch) { batch in
      for number in 1...40 { try batch.send(line(photo, "\(number).jpg", x: number)) }
      try batch.write(Data(line(photo, "41.jpg").utf8.dropLast(3)))
      batch.closeInput()
      let answers = try batch.rest()
      #expect(answers.count == 41 && answers.filter(\.isOK).count == 40)
    }
    #expect(end == (1, "cropkit: 1 of 41 crops failed\n"))
    #expect(folder.names.count == 40)
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `a signal ends it while it waits for lines`(signal: Int32) async throws {
    let batch = try StreamedBatch(in: folder)
    let end = try await talk(batch) { batch in
      try batch.send(line(photo, "a.jpg"))
      #expect(try batch.answer()?.isOK == true)
      batch.running.send(signal)
      #expect(try batch.answer() == nil)
    }
    #expect(end == (128 + signal, "cropkit: stopped after 1 crop\n"))
  }

  @Test func `stream options are rejected elsewhere, and an id is not`() async throws {
    let lines = [
      line(photo, "a.jpg", id: "123456789012345678901"),
      #"{"input":{"bytes":3},"output":"b.jpg","aspect":"1:1"}"#,
      #"{"input":"\#(photo)","output":{"bytes":true},"aspect":"1:1"}"#,
    ]
    let list = try folder.write(lines.map { "\($0)\n" }.joined().utf8, as: "list")
    let outcome = try await Program.cropkit.run("batch", list)
    #expect(outcome.status == 1)
    #expect(outcome.text.contains(#""id":123456789012345678901,"#))
    #expect(!outcome.text.contains("seconds"))
    #expect(outcome.lines.count { $0.contains("need cropkit batch --stream") } == 2)
    let unordered = try await Program.cropkit.run("batch", list, "--unordered")
    #expect(unordered.status == 64 && unordered.errors.contains("--unordered needs --stream"))
  }
}
