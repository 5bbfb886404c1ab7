import Testing

@testable import CropServer

/// Which connections are closed when there are too many, with a test clock.
struct ConnectionTableTests {
  private let start = ContinuousClock.now
  private func after(_ seconds: Int) -> ContinuousClock.Instant { start + .seconds(seconds) }

  private func table(_ capacity: Int, _ networks: String...) -> ConnectionTable<Int> {
    var table = ConnectionTable<Int>(capacity: capacity)
    for (number, network) in networks.enumerated() {
      #expect(table.enter(number, from: network, at: after(number)) == .admitted)
    }
    return table
  }

  @Test func `the oldest silent connection gives its place to a new one`() {
    var table = table(4, "a", "b", "c", "d")
    table.work(for: 0)
    #expect(table.enter(4, from: "e", at: after(9)) == .admittedInsteadOf(1))
    // A connection that was active since is not the oldest any more.
    table.wait(for: 2, at: after(10))
    #expect(table.enter(5, from: "f", at: after(11)) == .admittedInsteadOf(3))
    #expect(table.enter(6, from: "g", at: after(12)) == .admittedInsteadOf(4))
  }

  @Test func `the network with the most connections loses one first`() {
    var table = table(4, "a", "b", "b", "c")
    #expect(table.enter(4, from: "d", at: after(9)) == .admittedInsteadOf(1))
    #expect(table.enter(5, from: "b", at: after(10)) == .admittedInsteadOf(0))
  }

  @Test func `one network never has all places`() {
    var table = table(8, "a", "a", "a", "a", "a", "a")
    #expect(table.enter(6, from: "a", at: after(9)) == .admittedInsteadOf(0))
    #expect(table.enter(7, from: "b", at: after(9)) == .admitted)
    #expect(table.enter(8, from: "b", at: after(10)) == .admitted)
    for number in 1...6 { table.work(for: number) }
    // Requests that are being processed take its share.
    #expect(table.enter(9, from: "a", at: after(11)) == .refused)
    #expect(table.enter(10, from: "b", at: after(11)) == .admittedInsteadOf(7))
  }

  @Test func `clients that wait for the server are not closed`() {
    var table = table(4, "a", "b", "c", "d")
    for number in 0..<4 { table.work(for: number) }
    #expect(table.enter(4, from: "e", at: after(9)) == .refused)
    #expect(table.overdue(at: after(10_000)) == [])
    table.leave(2)
    #expect(table.enter(4, from: "e", at: after(9)) == .admitted)
  }

  @Test func `patience is shorter as places run out`() {
    var table = ConnectionTable<Int>(capacity: 100)
    var patiences: [Duration] = []
    for number in 0..<100 {
      #expect(table.enter(number, from: "\(number)", at: start) == .admitted)
      if patiences.last != table.patience { patiences.append(table.patience) }
    }
    #expect(patiences == [30, 10, 5, 2].map { .seconds($0) })
    #expect(table.overdue(at: after(1)).isEmpty)
    #expect(table.overdue(at: after(2)).count == 100)
    for number in 10..<100 { table.leave(number) }
    #expect(table.overdue(at: after(29)).isEmpty)
    #expect(table.overdue(at: after(30)).count == 10)
  }

  @Test func `reading an answer may take twice as long as being silent`() {
    var table = table(10, "a", "b")
    table.wait(for: 1, isReading: true, at: start)
    #expect(table.overdue(at: after(59)) == [0])
    #expect(table.overdue(at: after(60)).sorted() == [0, 1])
  }
}
