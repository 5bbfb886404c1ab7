@_exported import CropUIKit
