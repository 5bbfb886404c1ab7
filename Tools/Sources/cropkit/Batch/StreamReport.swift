import CropImaging
import Glibc

/// The answers of `cropkit batch --stream`: a line of JSON each, and the result behind it where it goes into no file.
struct StreamReport: BatchReport {
  func speaks(of outcome: BatchOutcome) -> Bool { false }

  func complain(of outcome: BatchOutcome) {}

  func print(_ outcome: BatchOutcome) throws(CropError) {
    try Terminal.print(json: outcome)
    guard let content = outcome.done?.content else { return }
    if let file = content.file {
      try file.copy(to: STDOUT_FILENO, name: "standard output")
    } else {
      try Terminal.write(content.bytes)
    }
  }
}
