import CropCore
import CropJPEG
import Glibc

/// Crops rectangles from a JPEG: `jpegcut IN OUT X Y W H [X Y W H …]`. Edges move outward to the grid, unless
/// the left and top ones are on it. With several rectangles, OUT contains the last one.
@main
enum Main {
  static func main() {
    let arguments = CommandLine.arguments
    let numbers = arguments.dropFirst(3).compactMap { Int($0) }
    guard numbers.count >= 4, numbers.count % 4 == 0 else { stop("usage: jpegcut IN OUT X Y W H") }
    let input = open(arguments[1], O_RDONLY)
    guard input >= 0 else { stop("jpegcut: can't read \(arguments[1])") }
    do throws(JPEGError) {
      let cutter = try JPEGCutter(
        JPEGInput { offset, buffer throws(JPEGError) in
          let got = pread(input, buffer.baseAddress, buffer.count, off_t(offset))
          guard got >= 0 else { throw .readFailed(code: errno) }
          return got
        })
      for start in stride(from: 0, to: numbers.count, by: 4) {
        let asked = BitmapRect(
          x: numbers[start], y: numbers[start + 1], width: numbers[start + 2],
          height: numbers[start + 3])
        let grid = cutter.header.grid
        guard let rect = grid.canCut(asked) ? asked : grid.snapped(asked) else { throw .offGrid }
        let output = open(arguments[2], O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        guard output >= 0 else { throw .writeFailed(code: errno) }
        defer { close(output) }
        _ = try cutter.cut(rect) { bytes throws(JPEGError) in
          var done = 0
          while done < bytes.count {
            let put = write(output, bytes.baseAddress.map { $0 + done }, bytes.count - done)
            guard put > 0 else { throw .writeFailed(code: errno) }
            done += put
          }
        }
      }
    } catch {
      stop("jpegcut: \(error)")
    }
  }

  private static func stop(_ message: String) -> Never {
    _ = (message + "\n").withCString { write(2, $0, strlen($0)) }
    exit(65)
  }
}
