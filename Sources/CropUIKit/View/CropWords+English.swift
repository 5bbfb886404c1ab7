#if canImport(UIKit)
  import Foundation

  extension CropWords {
    /// English.
    public static var english: CropWords {
      CropWords(
        locale: .matching("en"),
        picture: "Photo, {0} by {1} pixels",
        pictureHint: "Nothing is selected. Drag on the photo to draw a frame.",
        selection: "Crop frame",
        place: "{0} by {1}, left {2}, top {3}",
        handles: [
          "Top left corner", "Top edge", "Top right corner", "Right edge", "Bottom right corner",
          "Bottom edge", "Bottom left corner", "Left edge",
        ],
        moveLeft: "Move left", moveRight: "Move right", moveUp: "Move up", moveDown: "Move down",
        cleared: "Nothing selected", undone: "Undone", redone: "Redone", reset: "Reset",
        turned: "Turned", mirrored: "Mirrored", tilted: "Straightened by {0} degrees",
        ratio: "Ratio {0} to {1}", shape: "Shape: {0}",
        freeRatio: "Any ratio", limit: "That is as far as it goes",
        noMinimum: "There is no room for the smallest size",
        noRatio: "There is no room for the ratio",
        rectangle: "Rectangle", ellipse: "Ellipse", rounded: "Rounded",
        screens: ScreenWords(
          crop: "Crop", cancel: "Cancel", use: "Use", retake: "Retake", settings: "Settings",
          takePicture: "Take a picture", switchCamera: "Switch camera",
          flashAuto: "Flash automatic", flashOn: "Flash on", flashOff: "Flash off",
          albums: "Albums", cameraRoll: "Camera Roll",
          noPhotos: "No photos here yet. Take one first.",
          noCameraAccess: "The camera is off for this app. Allow it in Settings.",
          noPhotoAccess: "Photos are off for this app. Allow them in Settings.",
          noCamera: "This device has no camera. Choose a photo instead.",
          brokenPicture: "This photo can’t be read. Choose another one."))
    }
  }

  extension Locale {
    /// The person's own locale if it is of a language, so that numbers look as usual; else the
    /// language's.
    static func matching(_ language: String) -> Locale {
      let own = Locale.current
      return own.identifier.hasPrefix(language) ? own : Locale(identifier: language)
    }
  }
#endif
