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
  }
#endif
