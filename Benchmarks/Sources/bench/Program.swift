import Glibc

/// The program `cropkit crop` as a whole, start-up included, against programs that do the same: goals
/// 1 and 2 of the project.
struct Program {
  /// The program measured.
  let cropkit: String
  let folder: String
  let rounds: Int

  /// One way to crop, of ours or of a peer.
  private struct Way {
    var name: String
    var arguments: [String]
  }

  /// What both print go nowhere; only vips writes a file, which costs it a fraction of a millisecond.
  private func ways(_ region: Lossless.Region, of input: String) -> [(ours: Way, peers: [Way])] {
    let area = "\(region.width)x\(region.height)+\(region.x)+\(region.y)"
    let numbers = [region.x, region.y, region.width, region.height].map { "\($0)" }
    let crop = [cropkit, "crop", input, "--rect", numbers.joined(separator: ","), "-o", "-"]
    let pipe = "djpeg -crop \(area) \(input) | cjpeg -quality 90 -sample 2x2"
    let vips =
      ["vips", "crop", input, "\(folder)/vips.jpg[Q=90,subsample-mode=on]"] + numbers
    return [
      (
        Way(name: "lossless", arguments: crop),
        [Way(name: "jpegtran", arguments: ["jpegtran", "-crop", area, "-copy", "all", input])]
      ),
      (
        Way(name: "quality 90", arguments: crop + ["--lossless", "never"]),
        [
          Way(name: "vips crop", arguments: vips),
          Way(name: "djpeg | cjpeg", arguments: ["sh", "-c", pipe]),
        ]
      ),
    ]
  }

  private static let goals: [String: [String: Double]] = [
    "jpegtran": ["a": 0.22, "b": 0.30, "c": 0.10, "d": 0.20],
    "vips crop": ["a": 0.40, "b": 0.20, "c": 0.15, "d": 0.30],
    "djpeg | cjpeg": ["a": 1, "b": 0.75, "c": 1, "d": 1],
  ]

  /// Measures all regions of a picture of 12 megapixels and prints a line for each peer.
  func run(_ input: String, kind: String, isProgressive: Bool = false) {
    guard let start = costs(of: [[cropkit, "--version"]])?.first else {
      print("\n\(cropkit) is not there; make build makes it")
      return
    }
    print("\n12 megapixels, \(kind), the whole program")
    print("starting it takes \(fixed(start.wall * 1000, 1)) ms and \(fixed(start.peak, 1)) MiB")
    print("region  way         peer           peer ms   ms      ratio   of CPU  goal   peak MiB")
    for region in Lossless.regions(scale: 1) {
      for (ours, peers) in ways(region, of: input) where !isProgressive || ours.name == "lossless" {
        guard let all = costs(of: [ours.arguments] + peers.map(\.arguments)) else {
          print("\(region.name)  failed; are vips, djpeg and cjpeg installed?")
          continue
        }
        for (peer, cost) in zip(peers, all.dropFirst()) {
          let goal = isProgressive ? 1 : Self.goals[peer.name]?[region.name] ?? 1
          let ratio = all[0].wall / cost.wall
          print(
            [
              region.name.padded(8), ours.name.padded(12), peer.name.padded(15),
              fixed(cost.wall * 1000, 1).padded(10), fixed(all[0].wall * 1000, 1).padded(8),
              fixed(ratio, 3).padded(8), fixed(all[0].cpu / cost.cpu, 3).padded(8),
              (fixed(goal, 2) + (ratio <= goal ? "" : " missed")).padded(7),
              fixed(all[0].peak, 1),
            ].joined())
        }
      }
    }
  }

  /// The medians of several programs run in turn; nil if one fails.
  private func costs(of programs: [[String]]) -> [Cost]? {
    var all = [[Cost]](repeating: [], count: programs.count)
    for round in 0...rounds {
      for (index, program) in programs.enumerated() {
        guard let cost = cost(of: program) else { return nil }
        if round > 0 { all[index].append(cost) }
      }
    }
    return all.map(median)
  }
}
