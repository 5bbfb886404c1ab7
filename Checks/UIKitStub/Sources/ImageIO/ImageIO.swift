@_exported import CoreGraphics
import Foundation

// Core Foundation's types are bridged on Apple's platforms; here they are Foundation's own.
/// imageio/cfstring
public typealias CFString = String
/// imageio/cfdictionary
public typealias CFDictionary = NSDictionary
/// imageio/cfarray
public typealias CFArray = NSArray
/// imageio/cfdata
public typealias CFData = NSData
/// imageio/cfmutabledata
public typealias CFMutableData = NSMutableData

/// imageio/cgimagesource
public final class CGImageSource {}
/// imageio/cgimagedestination
public final class CGImageDestination {}

/// imageio/cgimagesourcecreatewithdata(_:_:)
public func CGImageSourceCreateWithData(_ data: CFData, _ options: CFDictionary?) -> CGImageSource?
{
  nil
}
/// imageio/cgimagesourcecopypropertiesatindex(_:_:_:)
public func CGImageSourceCopyPropertiesAtIndex(
  _ isrc: CGImageSource, _ index: Int, _ options: CFDictionary?
) -> CFDictionary? { nil }
/// imageio/cgimagesourcegettype(_:)
public func CGImageSourceGetType(_ isrc: CGImageSource) -> CFString? { nil }
/// imageio/cgimagedestinationcreatewithdata(_:_:_:_:)
public func CGImageDestinationCreateWithData(
  _ data: CFMutableData, _ type: CFString, _ count: Int, _ options: CFDictionary?
) -> CGImageDestination? { nil }
/// imageio/cgimagedestinationaddimage(_:_:_:)
public func CGImageDestinationAddImage(
  _ idst: CGImageDestination, _ image: CGImage, _ properties: CFDictionary?
) {}
/// imageio/cgimagedestinationfinalize(_:)
public func CGImageDestinationFinalize(_ idst: CGImageDestination) -> Bool { false }
/// imageio/cgimagedestinationcopytypeidentifiers()
public func CGImageDestinationCopyTypeIdentifiers() -> CFArray { NSArray() }

/// imageio/kcgimagepropertypixelwidth
public let kCGImagePropertyPixelWidth: CFString = "PixelWidth"
/// imageio/kcgimagepropertypixelheight
public let kCGImagePropertyPixelHeight: CFString = "PixelHeight"
/// imageio/kcgimagepropertyorientation
public let kCGImagePropertyOrientation: CFString = "Orientation"
/// imageio/kcgimagepropertymakerappledictionary
public let kCGImagePropertyMakerAppleDictionary: CFString = "{MakerApple}"
/// imageio/kcgimagepropertytiffdictionary
public let kCGImagePropertyTIFFDictionary: CFString = "{TIFF}"
/// imageio/kcgimagepropertytifforientation
public let kCGImagePropertyTIFFOrientation: CFString = "Orientation"
/// imageio/kcgimagepropertyexifdictionary
public let kCGImagePropertyExifDictionary: CFString = "{Exif}"
/// imageio/kcgimagepropertyexifpixelxdimension
public let kCGImagePropertyExifPixelXDimension: CFString = "PixelXDimension"
/// imageio/kcgimagepropertyexifpixelydimension
public let kCGImagePropertyExifPixelYDimension: CFString = "PixelYDimension"
/// imageio/kcgimagepropertyexifsubjectarea
public let kCGImagePropertyExifSubjectArea: CFString = "SubjectArea"
/// imageio/kcgimagedestinationlossycompressionquality
public let kCGImageDestinationLossyCompressionQuality: CFString =
  "kCGImageDestinationLossyCompressionQuality"
/// imageio/kcgimagepropertygpsdictionary
public let kCGImagePropertyGPSDictionary: CFString = "{GPS}"
/// imageio/kcgimagedestinationembedthumbnail
public let kCGImageDestinationEmbedThumbnail: CFString = "kCGImageDestinationEmbedThumbnail"
