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
  /// photos/phphotolibrary/register(_:)
  open func register(_ observer: any PHPhotoLibraryChangeObserver) {
    PhotosStage.shared.add(observer)
  }
  /// photos/phphotolibrary/unregisterchangeobserver(_:)
  open func unregisterChangeObserver(_ observer: any PHPhotoLibraryChangeObserver) {
    PhotosStage.shared.remove(observer)
  }
  /// photos/phphotolibrary/requestauthorization(for:)
  open class func requestAuthorization(for accessLevel: PHAccessLevel) async
    -> PHAuthorizationStatus
  {
    PhotosStage.shared.status
  }
  /// photos/phphotolibrary/performchanges(_:)
  open func performChanges(_ changeBlock: @escaping () -> Void) async throws { changeBlock() }
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
  ) -> PHFetchResult<PHAsset> {
    PHFetchResult(PhotosStage.shared.assets(of: assetCollection))
  }
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
  private let objects: [ObjectType]
  /// Not Apple's.
  public init(_ objects: [ObjectType] = []) { self.objects = objects }
  /// photos/phfetchresult/count
  open var count: Int { objects.count }
  /// photos/phfetchresult/firstobject
  open var firstObject: ObjectType? { objects.first }
  /// photos/phfetchresult/object(at:)
  open func object(at index: Int) -> ObjectType { objects[index] }
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
  ) -> PHFetchResult<PHAssetCollection> {
    PHFetchResult(PhotosStage.shared.collections(type))
  }
}

/// photos/phassetchangerequest
open class PHAssetChangeRequest: NSObject {
  /// photos/phassetchangerequest/creationrequestforasset(from:)
  open class func creationRequestForAsset(from image: UIImage) -> Self {
    PhotosStage.shared.noteSaved(nil)
    return unsafeDowncast(PHAssetChangeRequest(), to: self)
  }
}

/// photos/phassetresourcetype
public enum PHAssetResourceType: Int, Sendable {
  /// photos/phassetresourcetype/photo
  case photo = 1
}
/// photos/phassetresourcecreationoptions
open class PHAssetResourceCreationOptions: NSObject {}
/// photos/phassetcreationrequest
open class PHAssetCreationRequest: PHAssetChangeRequest {
  /// photos/phassetcreationrequest/forasset()
  open class func forAsset() -> Self { unsafeDowncast(PHAssetCreationRequest(), to: self) }
  /// photos/phassetcreationrequest/addresource(with:data:options:)
  open func addResource(
    with type: PHAssetResourceType, data: Data, options: PHAssetResourceCreationOptions?
  ) { PhotosStage.shared.noteSaved(data) }
}

/// photos/phfetchresultchangedetails
open class PHFetchResultChangeDetails<ObjectType: AnyObject>: NSObject {
  /// photos/phfetchresultchangedetails/fetchresultafterchanges
  public let fetchResultAfterChanges: PHFetchResult<ObjectType>
  init(_ result: PHFetchResult<ObjectType>) { fetchResultAfterChanges = result }
}
/// photos/phchange
open class PHChange: NSObject {
  let assets: PHFetchResult<PHAsset>?
  init(_ assets: PHFetchResult<PHAsset>?) { self.assets = assets }
  /// photos/phchange/changedetails(for:)
  open func changeDetails(
    for fetchResult: PHFetchResult<PHAsset>
  ) -> PHFetchResultChangeDetails<PHAsset>? { assets.map { PHFetchResultChangeDetails($0) } }
}
/// photos/phphotolibrarychangeobserver
public protocol PHPhotoLibraryChangeObserver: NSObjectProtocol {
  /// photos/phphotolibrarychangeobserver/photolibrarydidchange(_:)
  func photoLibraryDidChange(_ changeInstance: PHChange)
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
  ) -> PHImageRequestID { PhotosStage.shared.ask(resultHandler) }
  /// photos/phimagemanager/requestimagedataandorientation(for:options:resulthandler:)
  @discardableResult
  open func requestImageDataAndOrientation(
    for asset: PHAsset, options: PHImageRequestOptions?,
    resultHandler:
      @escaping (
        Data?, String?, CGImagePropertyOrientation, [AnyHashable: Any]?
      ) -> Void
  ) -> PHImageRequestID {
    resultHandler(PhotosStage.shared.original, nil, .up, nil)
    return 0
  }
  /// photos/phimagemanager/cancelimagerequest(_:)
  open func cancelImageRequest(_ requestID: PHImageRequestID) {}
}

/// photos/phcachingimagemanager
open class PHCachingImageManager: PHImageManager {}

/// Not Apple's: a library that a test fills, and how it was used.
public final class PhotosStage: @unchecked Sendable {
  /// The only instance.
  public static let shared = PhotosStage()
  private let lock = NSRecursiveLock()
  private var state = State()
  private struct State {
    var status = PHAuthorizationStatus.denied
    var albums: [(String, [PHAsset])] = []
    var original: Data?
    var fetchedOnMain = false
    var thumbnails: [(UIImage?, [AnyHashable: Any]?) -> Void] = []
    var saved: [Data?] = []
    var observers: [ObjectIdentifier: Listener] = [:]
  }
  /// A library does not retain its observers.
  private struct Listener {
    weak var observer: (any PHPhotoLibraryChangeObserver)?
  }
  private final class Album: PHAssetCollection {
    let number: Int
    let name: String
    init(_ number: Int, _ name: String) { (self.number, self.name) = (number, name) }
    override var localizedTitle: String? { name }
  }

  /// The access that the user allows.
  public var status: PHAuthorizationStatus {
    get { lock.withLock { state.status } }
    set { lock.withLock { state.status = newValue } }
  }
  /// Albums by name; the last one is the camera roll.
  public var albums: [(String, [PHAsset])] {
    get { lock.withLock { state.albums } }
    set { lock.withLock { state.albums = newValue } }
  }
  /// The file of every photo; nil for one that can't be loaded.
  public var original: Data? {
    get { lock.withLock { state.original } }
    set { lock.withLock { state.original = newValue } }
  }
  /// Whether albums were ever fetched on the main thread.
  public var fetchedOnMain: Bool { lock.withLock { state.fetchedOnMain } }
  /// Waiting thumbnails, in order.
  public var thumbnails: [(UIImage?, [AnyHashable: Any]?) -> Void] {
    lock.withLock { state.thumbnails }
  }
  /// The saved files, and nil for images.
  public var saved: [Data?] { lock.withLock { state.saved } }
  /// An empty library without access.
  public func clear() {
    lock.withLock {
      let observers = state.observers
      state = State()
      state.observers = observers
    }
  }
  /// Notifies all observers that the library, or some of its assets, changed.
  public func change(_ assets: PHFetchResult<PHAsset>? = nil) {
    let observers = lock.withLock { state.observers.values.compactMap(\.observer) }
    for observer in observers { observer.photoLibraryDidChange(PHChange(assets)) }
  }

  func add(_ observer: any PHPhotoLibraryChangeObserver) {
    lock.withLock { state.observers[ObjectIdentifier(observer)] = Listener(observer: observer) }
  }
  func remove(_ observer: any PHPhotoLibraryChangeObserver) {
    _ = lock.withLock { state.observers.removeValue(forKey: ObjectIdentifier(observer)) }
  }
  func collections(_ type: PHAssetCollectionType) -> [PHAssetCollection] {
    lock.withLock {
      if Thread.isMainThread { state.fetchedOnMain = true }
      let all = state.albums.enumerated().map { Album($0.offset, $0.element.0) }
      return type == .album ? all.dropLast() : all.suffix(1)
    }
  }
  func assets(of collection: PHAssetCollection) -> [PHAsset] {
    lock.withLock { (collection as? Album).map { state.albums[$0.number].1 } ?? [] }
  }
  func ask(_ handler: @escaping (UIImage?, [AnyHashable: Any]?) -> Void) -> PHImageRequestID {
    lock.withLock {
      state.thumbnails.append(handler)
      return PHImageRequestID(state.thumbnails.count)
    }
  }
  func noteSaved(_ data: Data?) { lock.withLock { state.saved.append(data) } }
}
