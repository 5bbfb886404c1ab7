import Glibc

/// `bench [--rounds N] [--large] [--program]`: makes its inputs once, then runs CropKit and its peers in
/// turn. `--program` measures the program `cropkit` (CROPKIT, else bin/cropkit) alone.
/// `--large` adds 48 and 195 megapixels, which take minutes to make and a gigabyte to hold.
@main
enum Main {
  static func main() {
    let arguments = CommandLine.arguments
    if arguments.count == 4, arguments[1] == "--make", let scale = Int(arguments[2]) {
      var picture = Picture(width: 4032 * scale, height: 3024 * scale)
      exit(picture.write(to: arguments[3]) ? 0 : 74)
    }
    let folder = environment("CROPKIT_BENCH") ?? "/tmp/cropkit-bench"
    mkdir(folder, 0o755)
    let rounds =
      arguments.firstIndex(of: "--rounds").flatMap { index in
        index + 1 < arguments.count ? Int(arguments[index + 1]) : nil
      } ?? 15
    let program = arguments[0]
    let place = program.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    let lossless = Lossless(
      cutter: (place + ["jpegcut"]).joined(separator: "/"), folder: folder, rounds: max(1, rounds))
    measureProgram(folder: folder, rounds: max(1, rounds), program: program)
    if arguments.contains("--program") { return }
    for scale in arguments.contains("--large") ? [1, 2, 4] : [1] {
      for kind in Lossless.kinds where scale == 1 || kind.encoder.isEmpty {
        guard makeInput(kind, scale: scale, folder: folder, program: program) else {
          print("bench: can't make inputs in \(folder); are cjpeg and jpegtran installed?")
          exit(69)
        }
        lossless.run(kind, scale: scale)
      }
      unlink("\(folder)/\(scale).ppm")
    }
  }

  private static func measureProgram(folder: String, rounds: Int, program: String) {
    let measured = Program(
      cropkit: environment("CROPKIT") ?? "bin/cropkit", folder: folder, rounds: rounds)
    let progressive = Lossless.Kind(
      name: "progressive", encoder: ["-progressive"], peer: [], goals: [:])
    for kind in [Lossless.kinds[0], progressive]
    where makeInput(kind, scale: 1, folder: folder, program: program) {
      measured.run(
        "\(folder)/1-\(kind.name.asFileName).jpg", kind: kind.name,
        isProgressive: kind.name == progressive.name)
    }
  }

  /// Makes one input unless it is there, in processes of their own: what this one holds is counted
  /// as memory of every program it runs.
  private static func makeInput(
    _ kind: Lossless.Kind, scale: Int, folder: String, program: String
  ) -> Bool {
    let path = "\(folder)/\(scale)-\(kind.name.asFileName).jpg"
    if access(path, R_OK) == 0 { return true }
    let picture = "\(folder)/\(scale).ppm"
    if access(picture, R_OK) != 0 {
      guard cost(of: [program, "--make", "\(scale)", picture]) != nil else { return false }
    }
    return cost(
      of: ["cjpeg", "-quality", "90", "-sample", "2x2"] + kind.encoder
        + ["-outfile", path, picture]) != nil
  }

  private static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}
