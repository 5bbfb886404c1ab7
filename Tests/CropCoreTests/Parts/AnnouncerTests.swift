import Testing

@testable import CropCore

@Suite struct AnnouncerTests {
  @Test func `a selection is announced, or why it did not change`() {
    var announcer = Announcer()
    var document = Document()
    document.open(ImageSize(width: 400, height: 300))
    announcer.announceSelection(of: document)
    #expect(announcer.announcement == .cleared && announcer.changes == .announcement)
    document.select(rect(10, 20, 30, 40))
    announcer.announceSelection(of: document)
    #expect(announcer.announcement == .selection(rect(10, 20, 30, 40)))
    announcer.announceSelection(of: document, isLimit: true)
    #expect(announcer.announcement == .limit && announcer.changes.contains(.limit))
    document.settings.minimum = .of(50, 50)
    announcer.announceSelection(of: document)
    #expect(announcer.announcement == .violatedRule(.minimum))
  }
}
