import Glibc

/// The complete program `cropkit crop`, including its start, compared with programs that do the same: goals 1
/// and 2 of the project.
///
/// All of them discard their output, except for vips, which writes a file. `at rest` goals are for wall time;
/// on a busy machine, only the ratio of CPU time is meaningful.
struct Program {
  /// The measured program.
  let cropkit: String
  let folder: String
  let rounds: Int
  /// The cost of starting it.
  let start: Cost

  /// A run of CropKit and those of its peers, alternately.
  struct Race {
    var name: String
    var ours: [String]
    var peers: [Peer]
    /// The maximum memory in MiB above that of starting; nil without a goal.
    var memory: Double? = 8
  }

  /// A program to compare with.
  struct Peer {
    var name: String
    var arguments: [String]
    /// The maximum ratio; nil without a goal.
    var goal: Double?
  }

  init?(cropkit: String, folder: String, rounds: Int) {
    self.cropkit = cropkit
    self.folder = folder
    self.rounds = rounds
    guard let start = Self.costs(of: [[cropkit, "--version"]], rounds: rounds)?.first else {
      print("\n\(cropkit) is not there; make build makes it")
      return nil
    }
    self.start = start
    print("starting cropkit takes \(fixed(start.wall * 1000, 1)) ms, \(fixed(start.peak, 1)) MiB")
  }

  /// Runs the races and prints a line for each peer.
  func run(_ title: String, _ races: [Race]) {
    print("\n\(title)")
    print(
      "what              peer               peer ms   ms        ratio   of CPU  goal          "
        + "MiB above start")
    for race in races {
      // A peer that is not installed is skipped and reported.
      let peers = race.peers.filter { cost(of: $0.arguments) != nil }
      for peer in race.peers where !peers.contains(where: { $0.name == peer.name }) {
        print("\(race.name.padded(18))\(peer.name.padded(19))SKIPPED: it can't be run here")
      }
      guard
        let all = Self.costs(of: [race.ours] + peers.map(\.arguments), rounds: rounds)
      else {
        print("\(race.name.padded(18))FAILED: \(race.ours.joined(separator: " "))")
        continue
      }
      let memory = all[0].peak - start.peak
      for (peer, cost) in zip(peers, all.dropFirst()) {
        let ratios = (wall: all[0].wall / cost.wall, cpu: all[0].cpu / cost.cpu)
        print(
          [
            race.name.padded(18), peer.name.padded(19), fixed(cost.wall * 1000, 1).padded(10),
            fixed(all[0].wall * 1000, 1).padded(10), fixed(ratios.wall, 3).padded(8),
            fixed(ratios.cpu, 3).padded(8), verdict(peer.goal, ratios).padded(14),
            fixed(max(0, memory), 1), race.memory.map { " of \(fixed($0, 0))" } ?? "",
            memory <= race.memory ?? .infinity ? "" : " missed",
          ].joined())
      }
      fflush(nil)
    }
  }

  private func verdict(_ goal: Double?, _ ratios: (wall: Double, cpu: Double)) -> String {
    guard let goal else { return "none" }
    let words = ratios.wall <= goal ? "met" : ratios.cpu <= goal ? "met in CPU" : "missed"
    return "\(fixed(goal, 2)) \(words)"
  }

  /// The medians of programs that run alternately; nil if one fails. The first round is a warm-up.
  private static func costs(of programs: [[String]], rounds: Int) -> [Cost]? {
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
