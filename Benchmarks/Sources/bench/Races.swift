/// The races for the project's goals.
extension Program {
  private func crop(_ input: String, _ region: Lossless.Region, _ options: [String] = [])
    -> [String]
  {
    [cropkit, "crop", input, "--rect", region.numbers.joined(separator: ","), "-o", "-"] + options
  }

  private func jpegtran(
    _ input: String, _ region: Lossless.Region, _ options: [String] = []
  ) -> [String] {
    ["jpegtran", "-crop", region.area, "-copy", "all"] + options + [input]
  }

  /// Goal 1: lossless, compared with `jpegtran -crop -copy all`.
  func lossless(_ input: String, _ kind: Lossless.Kind, scale: Int) {
    run(
      "\(megapixels(scale)), \(kind.name), without loss",
      Lossless.regions(scale: scale).map { region in
        Race(
          name: region.name, ours: crop(input, region),
          peers: [
            Peer(
              name: (["jpegtran"] + kind.peer).joined(separator: " "),
              arguments: jpegtran(input, region, kind.peer),
              goal: kind.goals[region.name] ?? region.goal)
          ])
      })
  }

  /// The same for a progressive file, which libjpeg decodes in a separate process, and for a turned one.
  func transformed(_ progressive: String, _ sequential: String) {
    let regions = Lossless.regions(scale: 1)
    run(
      "\(megapixels(1)), progressive, and upright pixels, without loss",
      regions.map { region in
        Race(
          name: region.name, ours: crop(progressive, region),
          peers: [
            Peer(name: "jpegtran", arguments: jpegtran(progressive, region), goal: 1)
          ], memory: nil)
      } + [
        // The region refers to the turned image.
        Race(
          name: "a, --rotate --bake",
          ours: crop(sequential, regions[0].turned(height: 3024), ["--rotate", "90", "--bake"]),
          peers: [
            Peer(
              name: "jpegtran -rotate",
              arguments: jpegtran(sequential, regions[0].turned(height: 3024), ["-rotate", "90"]),
              goal: 1)
          ], memory: nil)
      ])
  }

  /// Goal g: an image with an EXIF orientation costs no more than an upright one.
  func turned(_ sideways: String, _ upright: String) {
    let region = Lossless.regions(scale: 1)[0]
    let seen = region.turned(height: 3024)
    run(
      "\(megapixels(1)), a turn that goes into the orientation flag (goal g: costs nothing more, "
        + "5 % of noise allowed)",
      [
        Race(
          name: "g, orientation 6", ours: crop(sideways, seen),
          peers: [
            Peer(name: "cropkit, upright", arguments: crop(upright, region), goal: 1.05),
            Peer(
              name: "jpegtran -rotate",
              arguments: jpegtran(upright, seen, ["-rotate", "90"]), goal: 0.22),
          ]),
        Race(
          name: "a, --rotate 90", ours: crop(upright, seen, ["--rotate", "90"]),
          peers: [Peer(name: "cropkit, upright", arguments: crop(upright, region), goal: 1.05)]),
      ])
  }

  /// Goal 2: decoded and re-encoded at quality 90, 4:2:0.
  func reencoded(_ input: String) {
    let vips = ["a": 0.40, "b": 0.20, "c": 0.15, "d": 0.30]
    let pipes = ["a": 1, "b": 0.75, "c": 1, "d": 1.0]
    run(
      "\(megapixels(1)), standard tables, quality 90",
      Lossless.regions(scale: 1).map { region in
        let target = "\(folder)/vips.jpg[Q=90,subsample-mode=on]"
        let pipe = "djpeg -crop \(region.area) \(input) | cjpeg -quality 90 -sample 2x2"
        return Race(
          name: region.name, ours: crop(input, region, ["--lossless", "never"]),
          peers: [
            Peer(
              name: "vips crop", arguments: ["vips", "crop", input, target] + region.numbers,
              goal: vips[region.name]),
            Peer(
              name: "djpeg | cjpeg", arguments: ["sh", "-c", pipe], goal: pipes[region.name]),
          ], memory: 12)
      })
  }

  /// Goal f: 80 % × 80 % of the image, 1024 pixels wide.
  func scaled(_ input: String) {
    run(
      "\(megapixels(1)), standard tables, 80 % × 80 % scaled to 1024 pixels, quality 90",
      [
        Race(
          name: "f",
          ours: [
            cropkit, "crop", input, "--rect", "10%,10%,80%,80%", "--max-side", "1024", "-o", "-",
          ],
          peers: [
            Peer(
              name: "Pillow, draft",
              arguments: ["python3", "Benchmarks/shrink.py", "pillow", input], goal: 0.5),
            Peer(
              name: "pyvips, shrink",
              arguments: ["python3", "Benchmarks/shrink.py", "vips", input], goal: 0.5),
          ], memory: 12)
      ])
  }

  /// The cost of a file on the disk: CropKit flushes its contents and its name, jpegtran flushes nothing.
  func saved(_ input: String) {
    run(
      "\(megapixels(1)), standard tables, without loss, into a file",
      Lossless.regions(scale: 1).map { region in
        Race(
          name: region.name,
          ours: [
            cropkit, "crop", input, "--rect", region.numbers.joined(separator: ","), "--force",
            "-o", "\(folder)/saved.jpg",
          ],
          peers: [
            Peer(
              name: "cropkit, to nowhere", arguments: crop(input, region)),
            Peer(
              name: "jpegtran",
              arguments: jpegtran(input, region, ["-outfile", "\(folder)/peer.jpg"])),
          ])
      })
  }

  private func megapixels(_ scale: Int) -> String {
    "\(fixed(Double(4032 * 3024 * scale * scale) / 1e6, 0)) megapixels"
  }
}

extension Lossless.Region {
  fileprivate var numbers: [String] { [x, y, width, height].map { "\($0)" } }
  fileprivate var area: String { "\(width)x\(height)+\(x)+\(y)" }

  /// The region after an image of this height is turned clockwise.
  fileprivate func turned(height: Int) -> Self {
    var turned = self
    (turned.x, turned.y) = (height - y - self.height, x)
    (turned.width, turned.height) = (self.height, width)
    return turned
  }
}
