import CropImaging
import FoundationEssentials
import Glibc

/// The crops in a stream, each passed on as soon as its line arrives.
struct StreamRequests: BatchRequests {
  let stream: ManifestFile
  /// The default options of the lines.
  let options: ResultOptions
  let limits: Limits

  /// How often to check for cancellation while no data arrive, in milliseconds.
  private static let patience: Int32 = 200

  func hand(to input: BatchInput) throws(CropError) {
    let lines = LineReader { buffer throws(CropError) in
      try read(into: buffer, whileWaiting: input.pause)
    }
    var hadBytes = false
    while let line = try lines.next() {
      var read = LineRequests(line, folder: stream.folder, options: options, takesBytes: true)
      if let count = read.byteCount {
        hadBytes = true
        guard try takeBytes(count, of: &read, from: lines, input) else { return }
      }
      for request in read.requests { guard try input.add(request) else { return } }
      // The data that follow may be an image's bytes, which could look like a line.
      if read.payloadLengthUnknown || (hadBytes && read.isUnreadable) {
        throw .readFailed(
          file: stream.name,
          detail: "the data after line \(line.number) may be bytes, so it was not read")
      }
    }
  }

  /// Takes the bytes that follow a line; false if the batch must stop.
  private func takeBytes(
    _ count: Int, of line: inout LineRequests, from lines: LineReader, _ input: BatchInput
  ) throws(CropError) -> Bool {
    guard line.isUnderstood, count <= limits.bytes else {
      let got = try lines.skip(count)
      line.take(
        .failure(
          got < count
            ? Self.cutShort(got, of: count)
            : .limitExceeded(
              file: CropTask.nameOfBytes, limit: .bytes, actual: count, allowed: limits.bytes)),
        holding: 0)
      return true
    }
    guard input.makeRoom(for: count) else { return false }
    line.take(try bytes(count, from: lines), holding: count)
    return true
  }

  private func bytes(
    _ count: Int, from lines: LineReader
  ) throws(CropError) -> Result<Data, CropError> {
    guard count > 0 else { return .success(Data()) }
    guard let start = malloc(count) else {
      _ = try lines.skip(count)
      return .failure(.outOfMemory(file: CropTask.nameOfBytes, allowed: count))
    }
    let got: Int
    do throws(CropError) {
      got = try lines.take(into: UnsafeMutableRawBufferPointer(start: start, count: count))
    } catch {
      free(start)
      throw error
    }
    guard got == count else {
      free(start)
      return .failure(Self.cutShort(got, of: count))
    }
    return .success(Data(bytesNoCopy: start, count: count, deallocator: .free))
  }

  private static func cutShort(_ got: Int, of count: Int) -> CropError {
    .readFailed(
      file: CropTask.nameOfBytes, detail: "the stream ended after \(got) of \(count) of them")
  }

  /// Reads the available data; if there is none, waits as long as `whileWaiting` returns true.
  private func read(
    into buffer: UnsafeMutableRawBufferPointer, whileWaiting: () -> Bool
  ) throws(CropError) -> Int {
    var patience: Int32 = 0
    while true {
      var look = pollfd(fd: stream.file.raw, events: Int16(POLLIN), revents: 0)
      guard poll(&look, 1, patience) > 0 else {
        guard whileWaiting() else { return 0 }
        patience = Self.patience
        continue
      }
      let count = Glibc.read(stream.file.raw, buffer.baseAddress, buffer.count)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count >= 0 else {
        throw .readFailed(file: stream.name, detail: String(cString: strerror(errno)))
      }
      return count
    }
  }
}
