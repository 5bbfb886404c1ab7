import CropImaging
import Testing

@testable import PhotoLibrary

@Suite struct `A position in a list` {
  @Test func `is the same after it was sent as text`() {
    let position = PhotoPosition(order: -12, name: PathBytes([0xC3, 0x2E, 0x00]), id: 99)
    #expect(position.text == "-c.2r.c32e00" && PhotoPosition(position.text) == position)
    for text in ["", "1.2", "1.2.3", "1.2.0g", "1.2.é", "x.1.41.1"] {
      #expect(PhotoPosition(text) == nil)
    }
  }
}

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
