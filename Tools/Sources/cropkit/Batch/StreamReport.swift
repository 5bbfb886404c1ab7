import CropImaging

/// The answers of `cropkit batch --stream`: a line of JSON each, and the result behind it where it goes into no file.
struct StreamReport: BatchReport {
  /// A signal ends a stream whose answers nobody reads.
  let stop: BatchStop

  func speaks(of outcome: BatchOutcome) -> Bool { false }

  func complain(of outcome: BatchOutcome) {}

  func print(_ outcome: BatchOutcome) throws(CropError) {
    let isStopping = { stop.signal != nil }
    try Terminal.write(Terminal.line(json: outcome), isStopping: isStopping)
    guard let content = outcome.done?.content else { return }
    try Terminal.write(content.bytes, isStopping: isStopping)
  }
}
