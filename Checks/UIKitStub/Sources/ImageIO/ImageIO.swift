@_exported import CoreGraphics
import Foundation

// Core Foundation's types are bridged on Apple's platforms; here they are Foundation's.
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
public final class CGImageSource {
  let contents: PictureFileContents
  init(_ contents: PictureFileContents) { self.contents = contents }
}
/// imageio/cgimagedestination
public final class CGImageDestination {
  let data: CFMutableData
  let type: CFString
  var added: (image: CGImage, properties: CFDictionary?)?
  var auxiliary: [String: [String: Any]] = [:]
  init(_ data: CFMutableData, _ type: CFString) { (self.data, self.type) = (data, type) }
}

/// imageio/cgimagesourcecreatewithdata(_:_:)
public func CGImageSourceCreateWithData(_ data: CFData, _ options: CFDictionary?) -> CGImageSource?
{
  PictureFileContents.of(Data(referencing: data)).map { CGImageSource($0) }
}
/// imageio/cgimagesourcecopypropertiesatindex(_:_:_:)
public func CGImageSourceCopyPropertiesAtIndex(
  _ isrc: CGImageSource, _ index: Int, _ options: CFDictionary?
) -> CFDictionary? {
  var properties: [String: Any] = isrc.contents.properties
  properties[kCGImagePropertyOrientation] = isrc.contents.orientation
  return NSDictionary(dictionary: properties)
}
/// imageio/cgimagesourcegettype(_:)
public func CGImageSourceGetType(_ isrc: CGImageSource) -> CFString? { isrc.contents.type }
/// imageio/cgimagesourcecreatethumbnailatindex(_:_:_:)
/// As stored, unless the options ask for the transform.
public func CGImageSourceCreateThumbnailAtIndex(
  _ isrc: CGImageSource, _ index: Int, _ options: CFDictionary?
) -> CGImage? {
  let options = options as? [String: Any] ?? [:]
  let isUpright = options[kCGImageSourceCreateThumbnailWithTransform] as? Bool ?? false
  // Without this option, the result may be the file's embedded preview.
  guard options[kCGImageSourceCreateThumbnailFromImageAlways] as? Bool == true,
    let side = options[kCGImageSourceThumbnailMaxPixelSize] as? Int
  else { return nil }
  let small = isrc.contents.image.scaled(toMaxSide: side)
  return isUpright ? small.oriented(by: isrc.contents.orientation) : small
}
/// imageio/cgimagesourcecopyauxiliarydatainfoatindex(_:_:_:)
public func CGImageSourceCopyAuxiliaryDataInfoAtIndex(
  _ isrc: CGImageSource, _ index: Int, _ auxiliaryImageDataType: CFString
) -> CFDictionary? {
  guard isrc.contents.auxiliary.contains(auxiliaryImageDataType) else { return nil }
  return NSDictionary(dictionary: isrc.contents.auxiliaryInfo[auxiliaryImageDataType] ?? [:])
}
/// imageio/cgimagedestinationcreatewithdata(_:_:_:_:)
public func CGImageDestinationCreateWithData(
  _ data: CFMutableData, _ type: CFString, _ count: Int, _ options: CFDictionary?
) -> CGImageDestination? { CGImageDestination(data, type) }
/// imageio/cgimagedestinationaddimage(_:_:_:)
public func CGImageDestinationAddImage(
  _ idst: CGImageDestination, _ image: CGImage, _ properties: CFDictionary?
) { idst.added = (image, properties) }
/// imageio/cgimagedestinationaddauxiliarydatainfo(_:_:_:)
public func CGImageDestinationAddAuxiliaryDataInfo(
  _ idst: CGImageDestination, _ auxiliaryImageDataType: CFString,
  _ auxiliaryDataInfoDictionary: CFDictionary
) { idst.auxiliary[auxiliaryImageDataType] = auxiliaryDataInfoDictionary as? [String: Any] }
/// imageio/cgimagedestinationfinalize(_:)
/// The bytes are a key for the image.
public func CGImageDestinationFinalize(_ idst: CGImageDestination) -> Bool {
  guard let added = idst.added else { return false }
  let bytes = Data("written \(UUID().uuidString)".utf8)
  let properties = (added.properties as? [String: Any] ?? [:]).compactMapValues { $0 as? String }
  var contents = PictureFileContents(
    added.image, type: idst.type, properties: properties, auxiliary: Set(idst.auxiliary.keys))
  contents.auxiliaryInfo = idst.auxiliary
  PictureFileContents.register(contents, as: bytes)
  idst.data.append(bytes)
  return true
}
/// imageio/cgimagedestinationcopytypeidentifiers()
public func CGImageDestinationCopyTypeIdentifiers() -> CFArray {
  NSArray(array: ["public.jpeg", "public.png", "public.heic", "public.tiff"])
}

/// imageio/kcgimagesourcecreatethumbnailfromimagealways
public let kCGImageSourceCreateThumbnailFromImageAlways: CFString = "FromImageAlways"
/// imageio/kcgimagesourcecreatethumbnailwithtransform
public let kCGImageSourceCreateThumbnailWithTransform: CFString = "WithTransform"
/// imageio/kcgimagesourcethumbnailmaxpixelsize
public let kCGImageSourceThumbnailMaxPixelSize: CFString = "MaxPixelSize"
/// imageio/kcgimagesourceshouldcacheimmediately
public let kCGImageSourceShouldCacheImmediately: CFString = "CacheImmediately"
/// imageio/kcgimageauxiliarydatatypehdrgainmap
public let kCGImageAuxiliaryDataTypeHDRGainMap: CFString = "HDRGainMap"
/// imageio/kcgimageauxiliarydatatypeisogainmap
@available(iOS 18.0, *)
public let kCGImageAuxiliaryDataTypeISOGainMap: CFString = "ISOGainMap"
/// imageio/kcgimageauxiliarydatainfodata
public let kCGImageAuxiliaryDataInfoData: CFString = "InfoData"
/// imageio/kcgimageauxiliarydatainfodatadescription
public let kCGImageAuxiliaryDataInfoDataDescription: CFString = "InfoDataDescription"
/// imageio/kcgimagepropertypixelformat
public let kCGImagePropertyPixelFormat: CFString = "PixelFormat"
/// imageio/kcgimagepropertywidth
public let kCGImagePropertyWidth: CFString = "Width"
/// imageio/kcgimagepropertyheight
public let kCGImagePropertyHeight: CFString = "Height"
/// imageio/kcgimagepropertybytesperrow
public let kCGImagePropertyBytesPerRow: CFString = "BytesPerRow"
/// imageio/kcgimageauxiliarydatatypedepth
public let kCGImageAuxiliaryDataTypeDepth: CFString = "Depth"
/// imageio/kcgimageauxiliarydatatypedisparity
public let kCGImageAuxiliaryDataTypeDisparity: CFString = "Disparity"
/// imageio/kcgimageauxiliarydatatypeportraiteffectsmatte
public let kCGImageAuxiliaryDataTypePortraitEffectsMatte: CFString = "PortraitEffectsMatte"
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
/// imageio/kcgimagepropertyexifsubjectlocation
public let kCGImagePropertyExifSubjectLocation: CFString = "SubjectLocation"
/// imageio/kcgimagepropertyexifauxdictionary
public let kCGImagePropertyExifAuxDictionary: CFString = "{ExifAux}"
/// imageio/kcgimagedestinationlossycompressionquality
public let kCGImageDestinationLossyCompressionQuality: CFString =
  "kCGImageDestinationLossyCompressionQuality"
/// imageio/kcgimagepropertygpsdictionary
public let kCGImagePropertyGPSDictionary: CFString = "{GPS}"
/// imageio/kcgimagedestinationembedthumbnail
public let kCGImageDestinationEmbedThumbnail: CFString = "kCGImageDestinationEmbedThumbnail"
/// imageio/kcgimagepropertydpiwidth
public let kCGImagePropertyDPIWidth: CFString = "DPIWidth"
/// imageio/kcgimagepropertydpiheight
public let kCGImagePropertyDPIHeight: CFString = "DPIHeight"
/// imageio/kcgimagepropertytiffxresolution
public let kCGImagePropertyTIFFXResolution: CFString = "XResolution"
/// imageio/kcgimagepropertytiffyresolution
public let kCGImagePropertyTIFFYResolution: CFString = "YResolution"
/// imageio/kcgimagepropertytiffresolutionunit
public let kCGImagePropertyTIFFResolutionUnit: CFString = "ResolutionUnit"
/// imageio/kcgimagepropertyjfifdictionary
public let kCGImagePropertyJFIFDictionary: CFString = "{JFIF}"
/// imageio/kcgimagepropertyjfifxdensity
public let kCGImagePropertyJFIFXDensity: CFString = "XDensity"
/// imageio/kcgimagepropertyjfifydensity
public let kCGImagePropertyJFIFYDensity: CFString = "YDensity"
/// imageio/kcgimagepropertyjfifdensityunit
public let kCGImagePropertyJFIFDensityUnit: CFString = "DensityUnit"
/// imageio/kcgimagepropertypngdictionary
public let kCGImagePropertyPNGDictionary: CFString = "{PNG}"
/// imageio/kcgimagepropertypngxpixelspermeter
public let kCGImagePropertyPNGXPixelsPerMeter: CFString = "XPixelsPerMeter"
/// imageio/kcgimagepropertypngypixelspermeter
public let kCGImagePropertyPNGYPixelsPerMeter: CFString = "YPixelsPerMeter"
