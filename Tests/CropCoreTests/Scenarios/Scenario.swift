@testable import CropCore

/// A script of inputs to one session, with a separate clock.
///
/// By default, the image is 800 × 600 in a view of 828 × 628: inside the margin of 14 points, it
/// has one point per pixel, so frame (x, y) is shown at view (x + 14, y + 14).
struct Scenario {
  var session: CropSession
  /// The time of the last input, in seconds.
  var time: Seconds = 100
  /// The kind of pointer for the next inputs.
  var kind = PointerKind.mouse
  /// The modifiers for the next inputs.
  var modifiers: Modifiers = []
  /// What the last input changed.
  private(set) var changes: Changes = []
  /// All announcements so far, the oldest first.
  private(set) var announcements: [Announcement] = []

  init(
    _ style: CropStyle = .marquee, _ width: Int = 800, _ height: Int = 600,
    view: ViewSize = ViewSize(width: 828, height: 628), before commands: [Command] = []
  ) {
    session = CropSession(style: style)
    send(.tick(time))
    send(.resize(view))
    for command in commands { run(command) }
    _ = session.open(ImageSize(width: width, height: height))
  }

  @discardableResult
  mutating func send(_ input: Input) -> Changes {
    changes = session.handle(input)
    if changes.contains(.announcement), let announcement = session.announcement {
      announcements.append(announcement)
    }
    return changes
  }
}
