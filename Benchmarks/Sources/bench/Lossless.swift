/// The lossless crop compared with `jpegtran -crop -copy all`: goal 1 of the project.
struct Lossless {
  /// A region of an image, and the maximum ratio.
  struct Region {
    var name: String
    var x: Int
    var y: Int
    var width: Int
    var height: Int
    var goal: Double
  }

  /// The encoding of the input, and the arguments of the peer.
  struct Kind {
    var name: String
    var encoder: [String]
    var peer: [String]
    /// Overrides the goals of the regions.
    var goals: [String: Double]
  }

  let cutter: String
  let folder: String
  let rounds: Int

  static let kinds = [
    Kind(name: "standard tables", encoder: [], peer: [], goals: [:]),
    Kind(
      name: "restart marker every row", encoder: ["-restart", "1"], peer: [], goals: ["b": 0.10]),
    Kind(
      name: "optimized tables", encoder: ["-optimize"], peer: ["-optimize"],
      goals: ["a": 0.35, "b": 0.35, "c": 0.35, "d": 0.35]),
  ]

  /// The regions at 12 megapixels, scaled in proportion for `scale` times the width. For large images, also a
  /// small region at the top, of the same size as at 12 megapixels.
  static func regions(scale: Int) -> [Region] {
    var regions = [
      Region(name: "a", x: 1008, y: 752, width: 2016, height: 1504, goal: 0.22),
      Region(name: "b", x: 3456, y: 2448, width: 512, height: 512, goal: 0.30),
      Region(name: "c", x: 64, y: 64, width: 512, height: 512, goal: 0.10),
      Region(name: "d", x: 0, y: 1504, width: 4032, height: 368, goal: 0.20),
    ]
    for index in regions.indices {
      regions[index].x *= scale
      regions[index].y *= scale
      regions[index].width *= scale
      regions[index].height *= scale
    }
    if scale > 1 {
      regions.append(
        Region(
          name: "c, 512", x: 64, y: 64, width: 512, height: 512, goal: scale == 4 ? 0.03 : 0.10))
    }
    return regions
  }

  /// Measures one kind of input at one size and prints a line for each region.
  func run(_ kind: Kind, _ input: String, scale: Int) {
    let megapixels = fixed(Double(4032 * 3024 * scale * scale) / 1e6, 0)
    print("\n\(megapixels) megapixels, \(kind.name), the cutter alone")
    print("region  jpegtran ms   cut ms   ratio   of CPU   goal   jpegtran MiB   cut MiB")
    for region in Self.regions(scale: scale) {
      let area = "\(region.width)x\(region.height)+\(region.x)+\(region.y)"
      let peer =
        ["jpegtran", "-crop", area, "-copy", "all"] + kind.peer
        + ["-outfile", "\(folder)/peer.jpg", input]
      let ours =
        [cutter, input, "\(folder)/ours.jpg"]
        + [region.x, region.y, region.width, region.height].map { "\($0)" }
      var peers: [Cost] = []
      var cuts: [Cost] = []
      // Alternately, so that both run under the same conditions; the first round is a warm-up.
      for round in 0...rounds {
        guard let theirs = cost(of: peer), let our = cost(of: ours) else {
          print("\(region.name)  failed")
          return
        }
        if round > 0 {
          peers.append(theirs)
          cuts.append(our)
        }
      }
      let (a, b) = (median(peers), median(cuts))
      let goal = kind.goals[region.name] ?? region.goal
      let ratio = b.wall / a.wall
      print(
        [
          region.name.padded(8), fixed(a.wall * 1000, 1).padded(14),
          fixed(b.wall * 1000, 1).padded(9), fixed(ratio, 3).padded(8),
          fixed(b.cpu / a.cpu, 3).padded(9),
          (fixed(goal, 2) + (ratio <= goal ? "" : " missed")).padded(7),
          fixed(a.peak, 1).padded(15), fixed(b.peak, 1),
        ].joined())
    }
  }
}

extension String {
  /// The text padded with spaces, at least one.
  func padded(_ length: Int) -> String {
    self + String(repeating: " ", count: max(1, length - count))
  }

  /// The text without spaces, for file names.
  var asFileName: String { String(map { $0 == " " ? "-" : $0 }) }
}
