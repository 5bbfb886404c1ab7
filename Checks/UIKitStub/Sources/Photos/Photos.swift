import Foundation
import UIKit

/// photos/phauthorizationstatus
public enum PHAuthorizationStatus: Int, Sendable {
  /// photos/phauthorizationstatus/notdetermined
  case notDetermined, restricted, denied, authorized, limited
}

/// photos/phaccesslevel
public enum PHAccessLevel: Int, Sendable {
  /// photos/phaccesslevel/addonly
  case addOnly = 1
  /// photos/phaccesslevel/readwrite
  case readWrite
}

/// photos/phphotolibrary
open class PHPhotoLibrary: NSObject {
  /// photos/phphotolibrary/shared()
  open class func shared() -> PHPhotoLibrary { PHPhotoLibrary() }
  /// photos/phphotolibrary/requestauthorization(for:)
  open class func requestAuthorization(for accessLevel: PHAccessLevel) async
    -> PHAuthorizationStatus
  {
    .denied
  }
  /// photos/phphotolibrary/performchanges(_:)
  open func performChanges(_ changeBlock: @escaping () -> Void) async throws {}
}

/// photos/phobject
open class PHObject: NSObject {
  /// photos/phobject/localidentifier
  open var localIdentifier: String { "" }
}

/// photos/phassetmediatype
public enum PHAssetMediaType: Int, Sendable {
  /// photos/phassetmediatype/unknown
  case unknown, image, video, audio
}

/// photos/phasset
open class PHAsset: PHObject {
  /// photos/phasset/creationdate
  open var creationDate: Date? { nil }
  /// photos/phasset/fetchassets(in:options:)
  open class func fetchAssets(
    in assetCollection: PHAssetCollection, options: PHFetchOptions?
  ) -> PHFetchResult<PHAsset> { PHFetchResult() }
}

/// photos/phfetchoptions
open class PHFetchOptions: NSObject {
  /// photos/phfetchoptions/predicate
  open var predicate: NSPredicate?
  /// photos/phfetchoptions/sortdescriptors
  open var sortDescriptors: [NSSortDescriptor]?
}

/// photos/phfetchresult
open class PHFetchResult<ObjectType: AnyObject>: NSObject {
  /// photos/phfetchresult/count
  open var count: Int { 0 }
  /// photos/phfetchresult/firstobject
  open var firstObject: ObjectType? { nil }
  /// photos/phfetchresult/object(at:)
  open func object(at index: Int) -> ObjectType { fatalError("nothing is fetched here") }
}

/// photos/phassetcollectiontype
public enum PHAssetCollectionType: Int, Sendable {
  /// photos/phassetcollectiontype/album
  case album = 1
  /// photos/phassetcollectiontype/smartalbum
  case smartAlbum
}

/// photos/phassetcollectionsubtype
public enum PHAssetCollectionSubtype: Int, Sendable {
  /// photos/phassetcollectionsubtype/albumregular
  case albumRegular = 2
  /// photos/phassetcollectionsubtype/smartalbumuserlibrary
  case smartAlbumUserLibrary = 209
  /// photos/phassetcollectionsubtype/any
  case any = 0x7fff_ffff
}

/// photos/phcollection
open class PHCollection: PHObject {
  /// photos/phcollection/localizedtitle
  open var localizedTitle: String? { nil }
}

/// photos/phassetcollection
open class PHAssetCollection: PHCollection {
  /// photos/phassetcollection/fetchassetcollections(with:subtype:options:)
  open class func fetchAssetCollections(
    with type: PHAssetCollectionType, subtype: PHAssetCollectionSubtype, options: PHFetchOptions?
  ) -> PHFetchResult<PHAssetCollection> { PHFetchResult() }
}

/// photos/phassetchangerequest
open class PHAssetChangeRequest: NSObject {
  /// photos/phassetchangerequest/creationrequestforasset(from:)
  open class func creationRequestForAsset(from image: UIImage) -> Self {
    fatalError("not run here")
  }
}

/// photos/phimagerequestid
public typealias PHImageRequestID = Int32

/// photos/phimagecontentmode
public enum PHImageContentMode: Int, Sendable {
  /// photos/phimagecontentmode/aspectfit
  case aspectFit, aspectFill
}

/// photos/phimagerequestoptionsdeliverymode
public enum PHImageRequestOptionsDeliveryMode: Int, Sendable {
  /// photos/phimagerequestoptionsdeliverymode/opportunistic
  case opportunistic, highQualityFormat, fastFormat
}

/// photos/phimagerequestoptionsresizemode
public enum PHImageRequestOptionsResizeMode: Int, Sendable {
  /// photos/phimagerequestoptionsresizemode/none
  case none, fast, exact
}

/// photos/phimagerequestoptionsversion
public enum PHImageRequestOptionsVersion: Int, Sendable {
  /// photos/phimagerequestoptionsversion/current
  case current, unadjusted, original
}

/// photos/phimagerequestoptions
open class PHImageRequestOptions: NSObject {
  /// photos/phimagerequestoptions/deliverymode
  open var deliveryMode = PHImageRequestOptionsDeliveryMode.opportunistic
  /// photos/phimagerequestoptions/resizemode
  open var resizeMode = PHImageRequestOptionsResizeMode.fast
  /// photos/phimagerequestoptions/version
  open var version = PHImageRequestOptionsVersion.current
  /// photos/phimagerequestoptions/isnetworkaccessallowed
  open var isNetworkAccessAllowed = false
}

/// photos/cgimagepropertyorientation
public enum CGImagePropertyOrientation: UInt32, Sendable {
  /// photos/cgimagepropertyorientation/up
  case up = 1
  /// photos/cgimagepropertyorientation/upmirrored
  case upMirrored, down, downMirrored, leftMirrored, right, rightMirrored, left
}

/// photos/phimagemanager
open class PHImageManager: NSObject {
  /// photos/phimagemanager/requestimage(for:targetsize:contentmode:options:resulthandler:)
  open func requestImage(
    for asset: PHAsset, targetSize: CGSize, contentMode: PHImageContentMode,
    options: PHImageRequestOptions?,
    resultHandler: @escaping (UIImage?, [AnyHashable: Any]?) -> Void
  ) -> PHImageRequestID { 0 }
  /// photos/phimagemanager/requestimagedataandorientation(for:options:resulthandler:)
  @discardableResult
  open func requestImageDataAndOrientation(
    for asset: PHAsset, options: PHImageRequestOptions?,
    resultHandler:
      @escaping (
        Data?, String?, CGImagePropertyOrientation, [AnyHashable: Any]?
      ) -> Void
  ) -> PHImageRequestID { 0 }
  /// photos/phimagemanager/cancelimagerequest(_:)
  open func cancelImageRequest(_ requestID: PHImageRequestID) {}
}

/// photos/phcachingimagemanager
open class PHCachingImageManager: PHImageManager {}
