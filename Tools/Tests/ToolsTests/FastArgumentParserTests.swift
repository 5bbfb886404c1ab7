import CropImaging
import Testing

@testable import cropkit

/// Simple commands bypass the argument parser; the result must be the same.
struct FastArgumentParserTests {
  @Test(arguments: [
    "crop a.jpg -o b.jpg", "crop a.jpg --rect 64,64,512,512 -o -", "crop - -o -",
    "crop --rect 10%,10%,80%,80% --output b.webp a.jpg", "crop a.jpg -o b --force",
    "crop a.jpg --lossless snap -o b.jpg", "crop a.jpg --lossless never --quality 75 -o b.jpg",
    "crop a.jpg --max-side 1024 --rect 0,0,5,5 -o c.d/b.jpeg", "crop a.heic --output x.png",
    "crop a.jpg --rect 1,2,3,4 --clamp -o b.jpg", "crop a.jpg --in-place --rotate 90",
    "crop a.jpg --rotate 270 --flip vertical --bake -o b.jpg",
    "crop a.jpg --flip horizontal --strip all --progressive -o b.jpg", "crop a --in-place",
  ])
  func `the fast parser reads what the parser reads`(line: String) throws {
    let words = line.split(separator: " ").map(String.init)
    let short = try #require(CropJob(plain: words))
    let long = try #require(try CropKit.parseAsRoot(words) as? Crop)
    #expect(try short == long.job(long.tasks()[0].get()))
  }

  @Test(arguments: [
    "", "crop", "crop a.jpg", "info a.jpg", "crop a.jpg b.jpg -o c.jpg", "crop a.jpg -o",
    "crop -o b",
    "crop a.jpg -o b -o c", "crop a.jpg -o=b", "crop a.jpg --rect=1,2,3,4 -o b",
    "crop a.jpg --rect 1,2,3 -o b", "crop a.jpg --rect -1,0,5,5 -o b", "crop a.jpg -o -b",
    "crop a.jpg --lossless maybe -o b", "crop a.jpg --quality 0 -o b",
    "crop a.jpg --quality 101 -o b", "crop a.jpg --quality +5 -o b", "crop a.jpg --max-side 0 -o b",
    "crop a.jpg --max-side 99999999999999999999 -o b", "crop -- a.jpg -o b", "crop -x.jpg -o b",
    "crop a.jpg -o b --in-place", "crop a --in-place --force", "crop - --in-place",
    "crop a --flip up -o b", "crop a --strip everything -o b", "crop a --bake --bake -o b",
    "crop a.jpg -o b --force --force", "crop a.jpg --help",
    "crop a.jpg -o b --json", "crop a.jpg --rotate 45 -o b", "--version", "crop a.jpg -fo b",
  ])
  func `all else is left to the full parser`(line: String) {
    #expect(CropJob(plain: line.split(separator: " ").map(String.init)) == nil)
  }
}
