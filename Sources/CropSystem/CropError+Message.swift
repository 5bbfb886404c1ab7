extension CropError {
  /// A one-line message: what happened, to which file, what to do.
  public var message: String {
    switch self {
    case .usage(let detail): Self.line(detail)
    case .invalidRecipe(let file, let detail): "\(Self.line(file)): \(Self.line(detail))"
    case .empty(let file): "\(Self.line(file)): the file is empty; choose another"
    case .corrupt(let file, let detail):
      "\(Self.line(file)): the file is damaged (\(Self.line(detail))); get a fresh copy"
    case .truncated(let file, let detail):
      "\(Self.line(file)): the file ends too early (\(Self.line(detail))); get a fresh copy, or "
        + "crop the rest with --lenient"
    case .limitExceeded(let file, let limit, let actual, let allowed):
      "\(Self.line(file)): " + Self.words(limit, actual: actual, allowed: allowed)
    case .tooManyBytes(let file, let reached, let allowed, let quality):
      "\(Self.line(file)): the result has \(reached) bytes\(quality.map { " at quality \($0)" } ?? ""), "
        + "more than \(allowed); reduce its size in pixels"
        + (quality == nil ? ", or write \(FormatNames.withQuality)" : ", or allow more")
    case .inputMissing(let file): "\(Self.line(file)): no such file; check the name"
    case .inputUnreadable(let file, let detail):
      "\(Self.line(file)): can't be read: \(Self.line(detail))"
    case .unsupportedFormat(let file, let found):
      "\(Self.line(file)): this is \(found.map(Self.line) ?? "not a known image format"); "
        + "CropKit reads \(FormatNames.all)"
    case .unsupportedFeature(let file, let feature):
      "\(Self.line(file)): \(Self.line(feature)) is not supported; convert the image first"
    case .componentMissing(let component, let advice):
      "\(Self.line(component)) is missing; \(Self.line(advice))"
    case .resourceUnavailable(let what, let detail):
      "\(Self.line(what)) can't be started or opened: \(Self.line(detail))"
    case .cancelled: "the crop was cancelled; try again"
    case .workerDied(let file, let detail):
      "\(Self.line(file)): the decoder process died (\(Self.line(detail))); "
        + "try again; if it happens again, the file may be damaged"
    case .timedOut(let file, let seconds):
      "\(Self.line(file)): took longer than \(seconds) s; raise --limit-seconds to allow more"
    case .outOfMemory(let file, let allowed, let outer?):
      "\(Self.line(file)): needs more memory than the program's limit of \(Self.size(allowed)) allows "
        + "(\(Self.line(outer))); raise that limit"
    case .outOfMemory(let file, let allowed, nil):
      "\(Self.line(file)): needs more than \(Self.size(allowed)) of memory; "
        + "raise --limit-memory to allow more"
    case .outputExists(let path): "\(Self.line(path)): already exists; use --force to overwrite it"
    case .outputIsInput(let path):
      "\(Self.line(path)): is the input; use --in-place to overwrite it"
    case .outputChanged(let path, let kept):
      "\(Self.line(path)): another program has changed it, so it was not overwritten"
        + (kept.map { "; the previous file is now called \(Self.line($0))" }
          ?? "; crop the new file")
    case .wouldLoseData(let path, let losses):
      "\(Self.line(path)): overwriting it would lose \(DataLoss.names(losses)); "
        + "allow that with --drop-rest, or write to another file with -o or -d"
    case .outputUncreatable(let path, let detail):
      "\(Self.line(path)): can't be created: \(Self.line(detail))"
    case .readFailed(let file, let detail):
      "\(Self.line(file)): reading failed: \(Self.line(detail))"
    case .writeFailed(let path, let detail):
      "\(Self.line(path)): writing failed: \(Self.line(detail))"
    case .diskFull(let path):
      "\(Self.line(path)): no room left on the disk; free some space"
    case .notFlushed(let path, let detail):
      "\(Self.line(path)): the new file is in place, but its folder can't be flushed to the disk "
        + "(\(Self.line(detail))); a power failure may bring the old one back"
    }
  }

  private static func words(_ limit: Limit, actual: Int, allowed: Int) -> String {
    switch limit {
    case .pixels, .output:
      (allowed % 100_000 == 0 && millions(actual) != millions(allowed)
        ? "has \(millions(actual)) megapixels, more than the limit of \(millions(allowed)); "
        : "has \(actual) pixels, more than the limit of \(allowed); ")
        + "raise --limit-\(limit.rawValue) to allow it"
    case .bytes where size(actual) != size(allowed):
      "has \(size(actual)), more than the limit of \(size(allowed)); "
        + "raise --limit-bytes to allow it"
    case .bytes:
      "has \(actual) bytes, more than the limit of \(allowed); raise --limit-bytes to allow it"
    case .scans:
      "has \(actual) progressive scans, more than the limit of \(allowed); "
        + "raise --limit-scans to allow it"
    case .memory:
      "would need about \(size(actual)) of memory, more than the limit of \(size(allowed)); "
        + "raise --limit-memory to allow it"
    }
  }

  /// Pixels as megapixels with one decimal, rounded up so that a number above a limit is also
  /// displayed as above it.
  private static func millions(_ pixels: Int) -> String {
    let (whole, rest) = pixels.quotientAndRemainder(dividingBy: 1_000_000)
    let tenth = (rest + 99_999) / 100_000
    if tenth == 0 { return "\(whole)" }
    return tenth == 10 ? "\(whole + 1)" : "\(whole).\(tenth)"
  }

  /// Bytes in the largest unit that gives at least 1, rounded up.
  private static func size(_ bytes: Int) -> String {
    for (unit, name) in [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")] where bytes >= unit {
      let (whole, rest) = bytes.quotientAndRemainder(dividingBy: unit)
      let tenth = (rest / (unit / 16) * 10 + 15) / 16
      if rest == 0 { return "\(whole) \(name)" }
      return tenth >= 10 ? "\(whole + 1) \(name)" : "\(whole).\(max(tenth, 1)) \(name)"
    }
    return bytes == 1 ? "1 byte" : "\(bytes) bytes"
  }

  /// `text` on one line, as messages show it: each control or invisible character, which file names
  /// may contain, becomes `?`.
  public static func line(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { scalar in
          switch scalar.properties.generalCategory {
          // Joiners are used in emoji and some scripts; other invisible characters can hide text.
          case .format where scalar.value == 0x200C || scalar.value == 0x200D: scalar
          case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: "?"
          default: scalar
          }
        }))
  }
}

extension CropError: CustomStringConvertible {
  /// The message.
  public var description: String { message }
}
