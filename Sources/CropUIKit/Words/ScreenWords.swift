#if canImport(UIKit)
  /// The words on the camera, the clip screen, the albums and the square cropper.
  public struct ScreenWords: Sendable {
    /// Buttons.
    public var crop: String, cancel: String, use: String, retake: String, settings: String
    /// The camera's buttons: what they do.
    public var takePicture: String, switchCamera: String
    /// The flash: automatic, on, off.
    public var flashAuto: String, flashOn: String, flashOff: String
    /// Titles: all albums; the camera roll.
    public var albums: String, cameraRoll: String
    /// What an empty album says.
    public var noPhotos: String
    /// What is said without permission, and what to do.
    public var noCameraAccess: String, noPhotoAccess: String
    /// What is said where there is no camera, and where a picture could not be read.
    public var noCamera: String, brokenPicture: String
    /// What is said while something else has the camera, and after a shot that came to nothing.
    public var cameraBusy: String, shotFailed: String
    /// Buttons: after a failure; where the app may see only some photos.
    public var tryAgain: String, choosePhotos: String
    /// The crop screen's buttons.
    public var done: String, reset: String, undo: String, redo: String, turn: String
    /// More of them: mirror; the menu of ratios; the dial.
    public var mirror: String, ratio: String, straighten: String
    /// The ratios that have names.
    public var free: String, original: String, square: String
    /// What is said when there is no memory for a result.
    public var cropFailed: String
    /// What is asked before work is thrown away, and the answers.
    public var discardQuestion: String, discard: String, keepEditing: String
  }
#endif
