#if canImport(UIKit)
  /// The texts on the crop screen, the camera, the clip screen, the albums and the square cropper.
  public struct ScreenWords: Sendable {
    /// The titles of buttons.
    public var crop: String, cancel: String, use: String, retake: String, settings: String
    /// The descriptions of the camera's buttons.
    public var takePicture: String, switchCamera: String
    /// The flash modes automatic, on and off.
    public var flashAuto: String, flashOn: String, flashOff: String
    /// The titles of the list of albums and of the camera roll.
    public var albums: String, cameraRoll: String
    /// The message in an empty album.
    public var noPhotos: String
    /// The messages without permission; each tells the user what to do.
    public var noCameraAccess: String, noPhotoAccess: String
    /// The messages if there is no camera, and for an unreadable photo.
    public var noCamera: String, brokenPicture: String
    /// The messages while the system interrupts the camera, after it failed several times, and
    /// after a failed shot.
    public var cameraBusy: String, cameraFailed: String, shotFailed: String
    /// The titles of the buttons to retry after a failure, and to choose more photos if access is
    /// limited.
    public var tryAgain: String, choosePhotos: String
    /// The names of the crop screen's controls.
    public var done: String, reset: String, undo: String, redo: String, turn: String
    /// The names of more of them: the mirror, the menu of ratios and the tilt dial.
    public var mirror: String, ratio: String, straighten: String
    /// The names of the turn and the mirror in the other direction.
    public var turnLeft: String, mirrorVertically: String
    /// The names of ratios.
    public var free: String, original: String, square: String
    /// The message if there is not enough memory for a result.
    public var cropFailed: String
    /// The question before edits are discarded, and its answers.
    public var discardQuestion: String, discard: String, keepEditing: String
  }
#endif
