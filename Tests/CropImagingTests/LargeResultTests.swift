import CropCore
import Foundation
import TestMaterial
import Testing

@testable import CropImaging
@testable import CropSystem

@Suite struct `A large result` {
  private static let file = Result {
    try MadeJPEG.make(1200, 900, ["-quality", "100", "-sample", "1x1"])
  }
  private static let recipe = CropRecipe(8, 8, 1120, 880)

  private func crop(
    _ source: ImageSource, into file: ResultFile?, _ recipe: CropRecipe = recipe,
    options: ResultOptions = ResultOptions()
  ) throws -> CropResult {
    let engine = CropEngine(backend: JPEGBackend.jpegOnly)
    return try engine.crop(engine.open(source), recipe: recipe, options: options, into: file)
  }

  private func source() throws -> ImageSource {
    ImageSource(bytes: Data(try Self.file.get()), name: "picture")
  }

  @Test func `is made in a file if there is one, and is the same`() throws {
    let file = try #require(ResultFile.temporary())
    let there = try crop(source(), into: file)
    let here = try crop(source(), into: nil)
    #expect(there.file === file)
    #expect(here.file == nil)
    #expect(there.byteCount > ResultFile.least)
    #expect(there.byteCount == here.byteCount)
    #expect(there.bytes == here.bytes)
  }

  @Test func `a copy of the whole is made there too`() throws {
    let file = try #require(ResultFile.temporary())
    let copy = try crop(source(), into: file, CropRecipe())
    #expect(copy.file === file)
    #expect(copy.bytes == Data(try Self.file.get()))
  }

  @Test(arguments: [false, true])
  func `is saved under its name, whole`(exists: Bool) throws {
    let scratch = try Scratch()
    let path = scratch.file("out.jpg")
    if exists {
      _ = try scratch.write("old", to: "out.jpg")
      chmod(path, 0o640)
    }
    let save = try PendingSave(to: PathBytes(path), replacing: exists ? .existing : .nothing)
    let result = try crop(source(), into: save.file)
    #expect(result.file != nil)
    #expect(scratch.names == (exists ? ["out.jpg"] : []))
    try save.save(result, note: "noted")
    #expect(FileManager.default.contents(atPath: path) == result.bytes)
    #expect(scratch.names == ["out.jpg"])
    #expect(FileNote.read(at: PathBytes(path))?.text ?? "noted" == "noted")
    if exists {
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
      #expect(mode as? Int == 0o640)
    }
  }

  @Test func `never replaces a newer file`() throws {
    let scratch = try Scratch()
    let save = try PendingSave(to: PathBytes(scratch.file("out.jpg")), replacing: .nothing)
    let result = try crop(source(), into: save.file)
    _ = try scratch.write("another", to: "out.jpg")
    #expect(failure { () throws(CropError) in try save.save(result) }?.code == "output-exists")
    #expect(scratch.read("out.jpg") == "another")
    #expect(scratch.names == ["out.jpg"])
  }

  @Test func `is saved in an open folder, under another name if the first is taken`() throws {
    let scratch = try Scratch()
    let folder = try ConfinedFolder(path: PathBytes(scratch.path))
    let save = try PendingSave(as: PathBytes("out.jpg"), in: folder, replacing: .nothing)
    let result = try crop(source(), into: save.file)
    #expect(result.file != nil)
    _ = try scratch.write("another", to: "out.jpg")
    #expect(failure { () throws(CropError) in try save.save(result) }?.code == "output-exists")
    try PendingSave(as: PathBytes("out-2.jpg"), in: folder, replacing: .nothing).save(result)
    #expect(FileManager.default.contents(atPath: scratch.file("out-2.jpg")) == result.bytes)
    #expect(scratch.names == ["out-2.jpg", "out.jpg"])
    #expect(scratch.read("out.jpg") == "another")
  }

  @Test(arguments: [false, true])
  func `that was cancelled is not saved`(isInFile: Bool) throws {
    let scratch = try Scratch()
    let save = try PendingSave(to: PathBytes(scratch.file("out.jpg")), replacing: .nothing)
    let result = try crop(source(), into: isInFile ? save.file : nil)
    #expect((result.file != nil) == isInFile)
    let stop = CropStop()
    stop.cancel()
    let error = CropStop.$current.withValue(stop) {
      failure { () throws(CropError) in try save.save(result) }
    }
    #expect(error?.code == "cancelled")
    #expect(scratch.names.isEmpty)
    try save.save(result)
    #expect(scratch.names == ["out.jpg"])
  }

  @Test func `that fails leaves nothing`() throws {
    let scratch = try Scratch()
    var bytes = try Self.file.get()
    // Damage near the end, after what is written to the file first; the structure stays valid.
    bytes.replaceSubrange(
      bytes.count * 3 / 4..<bytes.count * 3 / 4 + 64, with: repeatElement(0, count: 64))
    let save = try PendingSave(to: PathBytes(scratch.file("out.jpg")), replacing: .nothing)
    let damaged = ImageSource(bytes: Data(bytes), name: "picture")
    _ = try? crop(damaged, into: save.file)
    #expect(scratch.names.isEmpty)
  }
}
