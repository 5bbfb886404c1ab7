import CropCore
import CropImaging
import Foundation
import Testing

@testable import cropkit

/// How lines with the same image are divided among threads.
@Suite struct `A group of lines about one picture` {
  private let input = FileArgument(argument: "picture.png")

  private func group(of count: Int, from start: Int = 7) -> BatchGroup {
    let group = BatchGroup(
      start: start, input: BatchGroup.Input(CropTask(input: input, output: input)))
    for number in 0..<count {
      let text =
        #"{"input":"picture.png","output":"\#(number).png","recipe":{"rect":"#
        + #"{"x":\#(number),"y":0,"width":1,"height":1}}}"#
      let line = BatchLine(number: number + 1, bytes: Array(text.utf8))
      BatchRequest.all(of: line, folder: nil).forEach(group.add)
    }
    return group
  }

  /// Takes a line and returns the group after this many seconds.
  private func workOff(_ group: BatchGroup, seconds: Int = 0) -> Int? {
    let start = BatchGroup.Instant.now
    let taken = group.takeFirst(at: start)
    group.release(at: start + .seconds(seconds))
    return taken?.place
  }

  @Test func `lines are taken in their order, by one at a time`() {
    let group = group(of: 3)
    #expect(!group.isTaken)
    #expect(group.takeFirst()?.place == 7)
    #expect(group.isTaken)
    group.release()
    #expect(!group.isTaken)
    #expect(workOff(group) == 8)
    #expect(workOff(group) == 9)
    #expect(workOff(group) == nil)
    #expect(!group.isTaken)
  }

  @Test func `half is given away before the picture is read`() throws {
    for count in 2...5 {
      let group = group(of: count)
      let half = try #require(group.split())
      #expect(half.requests.count == count / 2)
      #expect(half.input?.file == input)
      let places = (0..<count).map { _ in workOff(group) ?? workOff(half) }
      #expect(places == (7..<7 + count).map { $0 })
    }
    #expect(group(of: 1).split() == nil)
  }

  @Test func `afterwards, it is if the rest takes longer than reading again`() {
    let slowToRead = group(of: 6)
    _ = workOff(slowToRead, seconds: 5)
    _ = workOff(slowToRead, seconds: 2)
    #expect(slowToRead.split() == nil)
    let slowToCode = group(of: 6)
    _ = workOff(slowToCode, seconds: 3)
    _ = workOff(slowToCode, seconds: 2)
    #expect(slowToCode.split()?.requests.count == 2)
  }
}
