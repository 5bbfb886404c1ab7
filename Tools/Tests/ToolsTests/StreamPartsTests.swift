import CropImaging
import Foundation
import Testing

@testable import cropkit

/// The parts of a stream of crops.
@Suite struct `The parts of a stream of crops` {
  /// A reader of these bytes, which arrive in pieces of a given length.
  private func reader(_ text: String, pieces: Int) -> LineReader {
    var rest = Data(text.utf8)[...]
    return LineReader { buffer in
      let piece = rest.prefix(min(pieces, buffer.count))
      buffer.copyBytes(from: piece)
      rest = rest.dropFirst(piece.count)
      return piece.count
    }
  }

  private func text(_ line: BatchLine?) -> String? {
    line?.bytes.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(arguments: [1, 2, 3, 7, 1000])
  func `lines and bytes between them come apart, whatever the pieces`(pieces: Int) throws {
    let lines = reader("\u{FEFF}one\n \r\n\ntwo\nABC\nDEFthree\r\nGHfour", pieces: pieces)
    #expect(try text(lines.next()) == "one")
    let second = try lines.next()
    #expect(text(second) == "two")
    #expect(second?.number == 4)
    var taken = [UInt8](repeating: 0, count: 7)
    let count = try taken.withUnsafeMutableBytes { try lines.take(into: $0) }
    #expect(count == 7)
    #expect(taken == Array("ABC\nDEF".utf8))
    #expect(try text(lines.next()) == "three\r")
    #expect(try lines.skip(2) == 2)
    #expect(try text(lines.next()) == "four")
    #expect(try lines.next() == nil)
  }

  @Test(arguments: [1, 5, 1000])
  func `bytes that are missing are counted`(pieces: Int) throws {
    let lines = reader("a\nbc", pieces: pieces)
    _ = try lines.next()
    var taken = [UInt8](repeating: 0, count: 9)
    #expect(try taken.withUnsafeMutableBytes { try lines.take(into: $0) } == 2)
    #expect(try lines.skip(5) == 0)
    #expect(try lines.next() == nil)
  }

  @Test func `a line of more than a megabyte is passed over`() throws {
    let most = String(repeating: "x", count: 1 << 20)
    let lines = reader("\(most)\n\(most)x\nend\n", pieces: 60_000)
    #expect(try lines.next()?.bytes?.count == 1 << 20)
    let long = try #require(try lines.next())
    #expect(long.bytes == nil && long.number == 2)
    #expect(try text(lines.next()) == "end")
  }

  private func outcome(_ line: Int) -> BatchOutcome {
    let text = #"{"input":"a","output":"b","aspect":"1:1","id":\#(line)}"#
    let order = BatchRequest.all(of: BatchLine(number: line, bytes: Array(text.utf8)), folder: nil)[
      0]
    return BatchOutcome(order, .failure(.usage(detail: "no")))
  }

  @Test func `outcomes are reported in order, or as they finish`() {
    for (isOrdered, reported) in [(true, [1, 2, 3, 4]), (false, [3, 2, 1, 4])] {
      var queue = OutcomeQueue(isOrdered: isOrdered)
      var lines: [Int] = []
      for line in [3, 2, 1, 4] {
        #expect(queue.waits(for: 0) == (isOrdered && queue.takenCount == 0))
        queue.add(outcome(line), at: line - 1)
        while let next = queue.next() { lines.append(next.line) }
      }
      #expect(lines == reported)
      #expect(queue.takenCount == 4 && queue.count == 0)
    }
  }

  @Test func `what is left behind a gap can be had`() {
    var queue = OutcomeQueue(isOrdered: true)
    for line in [4, 2, 3] { queue.add(outcome(line), at: line - 1) }
    #expect(queue.next() == nil)
    #expect(queue.rest().map(\.line) == [2, 3, 4])
    #expect(queue.count == 0)
  }

  private func group(_ input: String, _ count: Int, bytes: Data? = nil) -> BatchGroup {
    var task = CropTask(
      input: FileArgument(argument: input), output: FileArgument(argument: "b.jpg"))
    task.bytes = bytes
    let group = BatchGroup(start: 0, input: BatchGroup.Input(task))
    for number in 1...count { group.add(BatchRequest(number, task.input, .success(task))) }
    return group
  }

  @Test func `lines that come one by one join those that wait for the same picture`() {
    let first = group("a.jpg", 3)
    #expect(first.joins(group("a.jpg", 1), most: 4))
    #expect(!first.joins(group("a.jpg", 2), most: 4))
    #expect(!first.joins(group("b.jpg", 1), most: 4))
    _ = first.takeFirst()
    #expect(!first.joins(group("a.jpg", 1), most: 4))
    let failed = BatchGroup(start: 0, input: nil)
    #expect(!failed.joins(failed, most: 4))
  }
}
