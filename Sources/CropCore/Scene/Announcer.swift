/// Collects what an input changes, and what a screen reader should announce.
struct Announcer: Hashable, Sendable {
  /// The changes by the current input so far.
  var changes: Changes = []
  private(set) var announcement: Announcement?

  mutating func refuse() { changes.insert(.refused) }

  mutating func announce(_ announcement: Announcement) {
    self.announcement = announcement
    changes.insert(.announcement)
    if case .limit = announcement { changes.insert(.limit) }
  }

  /// Announces the selection or, with `isLimit`, that nothing moved.
  mutating func announceSelection(of document: Document, isLimit: Bool = false) {
    guard let selection = document.edit.selection else { return announce(.cleared) }
    if isLimit { return announce(.limit) }
    announce(document.violatedRule.map { .violatedRule($0) } ?? .selection(selection))
  }
}
