import UIKit

@testable import CheckedCropUIKit
@testable import CropCore

/// The core's scenarios played through a ``CropViewController``: every script of
/// `Tests/CropCoreTests/Scenarios` runs here unchanged, with all its expectations, and its inputs
/// arrive as from UIKit.
///
/// A copy is independent, like a copy of a session.
struct Scenario {
  /// The time of the last input, in seconds.
  var time: Seconds = 100
  /// The kind of pointer for the next inputs.
  var kind = PointerKind.mouse
  /// The modifiers for the next inputs.
  var modifiers: Modifiers = []
  /// What the last input changed.
  private(set) var changes: Changes = []
  private var stage: Stage

  init(
    _ style: CropStyle = .marquee, _ width: Int = 800, _ height: Int = 600,
    view: ViewSize = ViewSize(width: 828, height: 628), before commands: [Command] = []
  ) {
    stage = Stage(style)
    send(.tick(time))
    send(.resize(view))
    for command in commands { run(command) }
    stage.view.image = UIImage(cgImage: .blank(width, height))
    stage.view.layoutIfNeeded()
  }

  /// The view's session; tests that change it directly bypass the view.
  var session: CropSession {
    get { stage.view.session }
    set {
      own()
      stage.view.session = newValue
      stage.view.apply(.scene)
    }
  }

  /// All announcements so far, the oldest first.
  var announcements: [Announcement] { stage.view.announcements }

  @discardableResult
  mutating func send(_ input: Input) -> Changes {
    own()
    stage.perform(input)
    changes = stage.view.seen
    return changes
  }

  private mutating func own() {
    if !isKnownUniquelyReferenced(&stage) { stage = Stage(copying: stage) }
  }
}
