import Glibc

/// `bench [--rounds N] [--large] [--cutter]`: generates its inputs once, then runs CropKit and its peers
/// alternately and prints each ratio with its goal.
///
/// The program is CROPKIT, by default `bin/cropkit`. `--large` adds 49 and 195 megapixels, which need a
/// gigabyte to generate. `--cutter` only measures the lossless crop, as a separate program.
@main
enum Main {
  static func main() {
    let arguments = CommandLine.arguments
    let program = arguments[0]
    if arguments.count == 4, arguments[1] == "--make", let scale = Int(arguments[2]) {
      exit(Inputs.makePicture(scale: scale, at: arguments[3]) ? 0 : 74)
    }
    if arguments.count == 5, arguments[1] == "--tile", let scale = Int(arguments[2]) {
      exit(Inputs.tile(arguments[3], scale: scale, at: arguments[4]) ? 0 : 74)
    }
    let folder = environment("CROPKIT_BENCH") ?? "/tmp/cropkit-bench"
    mkdir(folder, 0o755)
    let rounds =
      arguments.firstIndex(of: "--rounds").flatMap { index in
        index + 1 < arguments.count ? Int(arguments[index + 1]) : nil
      } ?? 15
    let inputs = Inputs(folder: folder, program: program)
    guard
      let cropkit = Program(
        cropkit: environment("CROPKIT") ?? "bin/cropkit", folder: folder, rounds: max(1, rounds))
    else { exit(69) }
    measure(cropkit, inputs)
    let scales = arguments.contains("--large") ? [2, 4] : []
    for scale in scales {
      cropkit.lossless(
        inputs.jpeg(Lossless.kinds[0], scale: scale), Lossless.kinds[0], scale: scale)
    }
    guard arguments.contains("--cutter") else { return }
    let place = program.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    let lossless = Lossless(
      cutter: (place + ["jpegcut"]).joined(separator: "/"), folder: folder, rounds: max(1, rounds))
    for scale in [1] + scales {
      for kind in Lossless.kinds where scale == 1 || kind.encoder.isEmpty {
        lossless.run(kind, inputs.jpeg(kind, scale: scale), scale: scale)
      }
    }
  }

  private static func measure(_ cropkit: Program, _ inputs: Inputs) {
    let standard = inputs.jpeg(Lossless.kinds[0], scale: 1)
    for kind in Lossless.kinds {
      cropkit.lossless(inputs.jpeg(kind, scale: 1), kind, scale: 1)
    }
    let progressive = Lossless.Kind(
      name: "progressive", encoder: ["-progressive"], peer: [], goals: [:])
    cropkit.transformed(inputs.jpeg(progressive, scale: 1), standard)
    cropkit.turned(inputs.sideways(standard), standard)
    cropkit.reencoded(standard)
    cropkit.scaled(standard)
    cropkit.saved(standard)
  }

  private static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}
