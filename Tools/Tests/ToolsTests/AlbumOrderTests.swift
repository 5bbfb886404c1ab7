import Testing

@testable import PhotoLibrary

@Suite struct `The order of albums` {
  @Test(arguments: [
    ["2019", "2020", "10000"], ["Trip 2", "Trip 10", "Trip 10 b"], ["a", "B", "c"],
    ["007", "7a", "8"], ["", "a"],
  ])
  func `is by numbers and letters`(names: [String]) {
    #expect(names.reversed().sorted(by: AlbumNames.areInOrder) == names)
  }

  @Test func `is none between equal names`() {
    for name in ["", "a", "Trip 10", "007"] {
      #expect(!AlbumNames.areInOrder(name, name))
    }
    #expect(!AlbumNames.areInOrder("07", "7") && !AlbumNames.areInOrder("7", "07"))
  }
}
