import Foundation
import Testing

/// Commands that take folders, and advice for words that are not commands.
@Suite(.enabled(if: Picture.areAvailable, "no pictures; see CROPKIT_IMAGES"))
struct FolderCommandTests {
  private let folder: Folder

  init() throws {
    folder = try Folder()
    let photo = try Data(
      contentsOf: URL(fileURLWithPath: Picture.named("jpeg-420-227x149.jpg").path))
    try FileManager.default.createDirectory(
      atPath: folder.path("in/sub"), withIntermediateDirectories: true)
    for name in ["in/a.jpg", "in/sub/b.jpg"] { _ = try folder.write(photo, as: name) }
    _ = try folder.write("no picture".utf8, as: "in/notes.txt")
  }

  @Test(arguments: [([], ["in/a.jpg"]), (["-r"], ["in/a.jpg", "in/sub/b.jpg"])])
  func `info takes the pictures in a folder`(options: [String], names: [String]) async throws {
    let outcome = try await Program.cropkit.run(
      ["info", folder.path("in"), "--json"] + options)
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.values("input") == names.map(folder.path))
  }

  @Test func `targets of the photos in folders are in folders of the same names`() async throws {
    let outcome = try await Program.cropkit.run(
      "targets", "-r", folder.path("in"), "--set", "print", "-d", folder.path("out"), "--to",
      "html", "--json")
    #expect(outcome.status == 0, "\(outcome)")
    let names = Folder.names(in: folder.path("out"))
    #expect(names.contains("sub") && names.contains("a.html"), "\(names)")
    let inner = Folder.names(in: folder.path("out/sub"))
    #expect(inner.contains("b.html"), "\(inner)")
    #expect(names.count == inner.count + 1)
    #expect(outcome.objects.count == 2 * (inner.count - 1))
  }

  @Test func `one bad photo does not stop the targets of the others`() async throws {
    let bad = try folder.write("no picture".utf8, as: "in/bad.jpg")
    let outcome = try await Program.cropkit.run(
      "targets", bad, folder.path("in/a.jpg"), "--set", "print", "-d", folder.path("out"))
    #expect(outcome.status == 1 && outcome.errors.contains("bad.jpg"), "\(outcome)")
    #expect(!Folder.names(in: folder.path("out")).isEmpty)
  }

  @Test(arguments: [
    (["in", "--set", "print"], "-d FOLDER"),
    (["in/a.jpg", "in/sub/b.jpg", "--set", "print", "--write-regions", "c.jpg"], "one photo"),
  ])
  func `what several photos can't have is refused`(words: [String], advice: String) async throws {
    let outcome = try await Program.cropkit.run(["targets"] + words, folder: folder.path)
    #expect(outcome.status == 64 && outcome.errors.contains(advice), "\(outcome)")
  }

  @Test(arguments: [
    (["in/a.jpg", "--aspect", "1:1"], "use cropkit crop in/a.jpg --aspect 1:1 -o OUT"),
    (["a b.jpg", "--aspect", "1:1", "-o", "c.jpg"], "crop 'a b.jpg' --aspect 1:1 -o c.jpg;"),
    (["resize", "a.jpg"], "cropkit crop IN --size WIDTHxHEIGHT -o OUT"),
    (["rotate", "a.jpg"], "--rotate 90"), (["convert", "a.jpg", "b.png"], "--format NAME"),
    (["crop", "a.jpg", "--resize", "10x10", "-o", "b.jpg"], "unknown option --resize; use --size"),
    (["crop", "a.jpg", "--turn", "90", "-o", "b.jpg"], "unknown option --turn; use --rotate"),
  ])
  func `words of other programs get one line of advice`(words: [String], advice: String)
    async throws
  {
    let outcome = try await Program.cropkit.run(words, folder: folder.path)
    #expect(outcome.status == 64 && outcome.lines.count == 1, "\(outcome)")
    #expect(outcome.errors.contains(advice), "\(outcome)")
  }

  @Test func `a named pipe may get its writer later`() async throws {
    let outcome = try await Program.shell(
      "mkfifo p; (sleep 1; cat in/a.jpg > p) & '\(Program.cropkit.path)' info p; wait",
      folder: folder.path)
    #expect(outcome.status == 0 && outcome.text.contains("227 × 149"), "\(outcome)")
  }
}
