import ArgumentParser
import CropImaging
import Glibc

/// `cropkit info`: what the header of each picture tells.
struct Info: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Say what pictures are, from their headers alone.",
    usage: "cropkit info IN… [--json] [limits]",
    discussion: """
      No pixel is decoded, so a picture may still turn out to be damaged. The size is that of the \
      upright picture, in which a crop's rectangle is given.

        cropkit info photo.jpg
        cropkit info *.heic --json

      With --json each picture is one line: an object, with "error" in it if the picture was \
      refused. The exit status is that of the first picture that was.
      """)

  @Argument(help: ArgumentHelp("The pictures; - is standard input.", valueName: "in"))
  var inputs: [FileArgument]

  @Flag(help: "One JSON object a line, on standard output.")
  var json = false

  @OptionGroup(title: "Limits")
  var limits: LimitOptions

  func run() throws {
    let limits = limits.limits
    let engine = CropEngine.command(limits: limits)
    var status: Int32 = 0
    for input in inputs {
      do {
        let info = try engine.info(input.source(limits: limits))
        if json {
          try Terminal.print(json: InfoReport(input: input.name, info: info))
        } else {
          try Terminal.print(info.description(of: input.name))
        }
      } catch {
        // With nobody to read the answers there is no point in going on.
        if error.exitStatus == CropError.writeFailed(path: "", detail: "").exitStatus {
          throw error
        }
        if json { try Terminal.print(json: CropFailure(error, input: input)) }
        Terminal.complain(error.message)
        status = status == 0 ? error.exitStatus : status
      }
    }
    if status != 0 { throw ExitCode(status) }
  }
}

extension ImageInfo {
  /// What a person wants to know, on a few lines.
  fileprivate func description(of name: String) -> String {
    var size = "\(shown.width) × \(shown.height)"
    if orientation != .up {
      size += " (stored \(stored.width) × \(stored.height), orientation \(orientation.rawValue))"
    }
    var pixels = ["\(bitDepth) bits", color.rawValue]
    if hasAlpha { pixels.append("transparency") }
    if let subsampling { pixels.append("subsampling \(subsampling.rawValue)") }
    if isProgressive { pixels.append(format == .jpeg ? "progressive" : "interlaced") }
    if frameCount > 1 { pixels.append("\(frameCount) frames") }
    if pageCount > 1 { pixels.append("\(pageCount) pages") }
    var lines = [
      "\(name.onOneLine): \(format.displayName), \(size), \(byteCount) bytes",
      "  pixels    \(pixels.joined(separator: ", "))",
    ]
    if let cell = shownGridCell {
      lines.append("  grid      \(cell.width) × \(cell.height), for a cut without loss")
    }
    if let profileName { lines.append("  profile   \(profileName)") }
    if !metadata.isEmpty {
      lines.append("  metadata  \(metadata.map(\.displayName).joined(separator: ", "))")
    }
    lines += warnings.map { "  warning   \($0.message)" }
    return lines.joined(separator: "\n")
  }
}
