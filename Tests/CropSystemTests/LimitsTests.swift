import Testing

@testable import CropSystem

@Suite struct `The limit on memory` {
  @Test(arguments: [(1, 1), (2, 1), (4, 1), (8, 2), (16, 4), (24, 4), (512, 4)])
  func `is a quarter of the machine's, within bounds`(machine: Int, limit: Int) {
    #expect(Limits.memory(ofMachine: machine << 30) == limit << 30)
  }

  @Test func `is bounded whatever the system says`() {
    #expect(Limits.memory(ofMachine: .max) == 4 << 30)
    #expect(Limits.memory(ofMachine: 0) == 1 << 30)
    #expect((1 << 30...4 << 30).contains(Limits().memory))
    #expect(Limits(memory: 5).memory == 5)
  }
}
