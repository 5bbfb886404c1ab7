import ArgumentParser
import CropArguments
import CropImaging
import Glibc

/// `cropkit info`: prints information from the headers of images.
struct Info: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Print information about images (reads headers only).",
    usage: "cropkit info IN… [--json] [limits]",
    discussion: """
      No pixels are decoded, so damage in the image data goes unnoticed. The size is that of the image as displayed, which \
      crop rectangles refer to; if the stored size differs, it follows in brackets.

        cropkit info photo.jpg
        cropkit info *.heic --json
        cropkit info -r photos/ --json

      With --json, prints one JSON object per image: input, format, byteCount, stored, \
      orientation (1 to 8), shown, bitDepth, color, hasAlpha, frameCount, frameDurations (ms), \
      playCount (0: forever), pageCount, subsampling, gridCell, isProgressive, isCuttable, scanCount, \
      profileName, colorCoding, density, gainMap, metadata, warnings, lossless (which changes need no new \
      encoding: crop, "turn" and, for a JPEG, obstacle; null if that depends on the pixels), mark (the crop that \
      another program left in the file: program, recipe, isApplied, problem; or null); or input and error, if \
      it failed. The exit status is that of the first image that failed.
      """)

  @Argument(
    help: ArgumentHelp("Images, or folders of images; - is standard input.", valueName: "in"))
  var inputs: [FileArgument]

  @Flag(name: [.short, .long], help: "Include the images in subfolders of folders.")
  var recursive = false

  @Flag(help: "Print one JSON object per line to standard output.")
  var json = false

  @OptionGroup(title: "Limits")
  var limits: LimitOptions

  func run() throws {
    let limits = limits.limits
    let engine = CropEngine.command(limits: limits)
    var status: Int32 = 0
    let images = try FolderInput.all(inputs, isRecursive: recursive, besides: nil)
    for input in images.map(\.file) {
      let report: InfoReport
      do {
        let source = try input.source(limits: limits)
        report = InfoReport(source, try engine.open(source), input: input.name)
      } catch {
        if json { try Terminal.print(json: CropFailure(error, input: input.name)) }
        Terminal.warn(error.message)
        status = status == 0 ? error.exitStatus : status
        continue
      }
      // Stops if the output is no longer read.
      if json {
        try Terminal.print(json: report)
      } else {
        try Terminal.print(report.info.description(report))
      }
    }
    if status != 0 { throw ExitCode(status) }
  }
}

extension ImageInfo {
  /// The information for users: the name of the file, followed by one property per line.
  fileprivate func description(_ report: InfoReport) -> String {
    var lines = [report.input.onOneLine]
    func add(_ label: String, _ words: [String?]) {
      let text = words.compactMap { $0 }.joined(separator: ", ")
      guard !text.isEmpty else { return }
      lines.append("  " + label + String(repeating: " ", count: 11 - label.count) + text.onOneLine)
    }
    add("format", [format.displayName, isProgressive ? way : nil, Self.grouped(byteCount, "byte")])
    add("size", [sizes])
    add("pixels", [depth, hasAlpha ? "transparency" : nil, chroma])
    add("colors", [profileName.map { "profile “\($0)”" }, colorCoding?.displayName])
    add("animation", frameCount > 1 ? [Self.grouped(frameCount, "frame"), duration, plays] : [])
    add("pages", pageCount > 1 ? [Self.grouped(pageCount)] : [])
    add("lossless", words(for: report.lossless))
    if let gainMap { add("gain map", gainMap.words) }
    add("metadata", metadata.map(\.displayName))
    add("crop", [report.mark?.words])
    for warning in warnings { add("warning", [warning.message]) }
    return lines.joined(separator: "\n")
  }

  /// Which changes are lossless: "crops on a grid of 16 × 16, rotations".
  private func words(for changes: LosslessChanges) -> [String?] {
    let grid = shownGridCell.map { " on a grid of \($0.width) × \($0.height)" } ?? ""
    let crops: String? =
      switch changes.crop {
      case true?: "crops" + grid
      case false?: nil
      case nil: "crops, if the pixels allow it"
      }
    return [crops, changes.turn == true ? "rotations" : nil]
  }

  private var way: String { format == .jpeg ? "progressive" : "interlaced" }

  private var sizes: String {
    let seen = "\(shown.width) × \(shown.height)"
    if shown.width == stored.width, shown.height == stored.height, orientation == .up {
      return seen
    }
    let kept = "stored \(stored.width) × \(stored.height)"
    return seen
      + (orientation == .up ? " (\(kept))" : " (\(kept), orientation \(orientation.rawValue))")
  }

  private var depth: String {
    let bits = Self.grouped(bitDepth, "bit")
    switch color {
    case .gray: return "gray, \(bits)"
    case .rgb: return "RGB, \(bits) per channel"
    case .palette: return "palette, \(bits)"
    case .cmyk: return "CMYK, \(bits) per channel"
    case .lab: return "CIE L*a*b*, \(bits) per channel"
    }
  }

  private var chroma: String? {
    guard let subsampling else { return nil }
    guard subsampling != .other else { return "unusual chroma subsampling" }
    return "chroma " + subsampling.rawValue.map(String.init).joined(separator: ":")
  }

  private var duration: String? {
    guard !frameDurations.isEmpty else { return nil }
    let tenths = (frameDurations.reduce(0, +) + 50) / 100
    return "\(tenths / 10).\(tenths % 10) s"
  }

  private var plays: String? {
    switch playCount {
    case nil: nil
    case 0: "plays forever"
    case 1: "plays once"
    case let count?: "plays \(count) times"
    }
  }

  /// The number with thousands separators, and its unit.
  private static func grouped(_ number: Int, _ unit: String? = nil) -> String {
    var digits = Array(String(number))
    for place in stride(from: digits.count - 3, to: 0, by: -3) { digits.insert(",", at: place) }
    return String(digits) + (unit.map { " \($0)" + (number == 1 ? "" : "s") } ?? "")
  }
}

extension GainMapInfo {
  /// Its description for users.
  fileprivate var words: [String?] {
    let names = kinds.map { kind in
      switch kind {
      case .ultraHDR: "Ultra HDR"
      case .iso: "ISO 21496-1"
      case .apple: "Apple HDR"
      case .toneMapped: "ISO 21496-1 (tmap)"
      }
    }
    return [
      names.isEmpty ? nil : names.joined(separator: " and "),
      size.map { "\($0.width) × \($0.height)" },
      channels == 3 ? "3 channels" : nil,
      scale.map { "1/\(Self.rounded($0)) of the width" },
      headroom.map { "headroom \(Self.rounded($0)) stops" },
      fault.map { "can't be used: \($0)" },
    ]
  }

  /// The number rounded to two decimals.
  private static func rounded(_ number: Double) -> String {
    guard number.isFinite, abs(number) < 1e6 else { return "?" }
    let hundredths = Int((number * 100).rounded())
    let (whole, rest) = (hundredths / 100, abs(hundredths % 100))
    if rest == 0 { return "\(whole)" }
    let digits = rest % 10 == 0 ? "\(rest / 10)" : rest < 10 ? "0\(rest)" : "\(rest)"
    return (hundredths < 0 && whole == 0 ? "-" : "") + "\(whole).\(digits)"
  }
}
