import Foundation
import Photos
import UIKit

/// photosui/phpickerfilter
public struct PHPickerFilter: Hashable, Sendable {
  /// photosui/phpickerfilter/images
  public static let images = PHPickerFilter()
}

/// photosui/phpickerconfiguration
public struct PHPickerConfiguration: Hashable {
  /// photosui/phpickerconfiguration/assetrepresentationmode
  public enum AssetRepresentationMode: Int, Sendable {
    /// photosui/phpickerconfiguration/assetrepresentationmode/automatic
    case automatic, current, compatible
  }
  /// photosui/phpickerconfiguration/preferredassetrepresentationmode
  public var preferredAssetRepresentationMode = AssetRepresentationMode.automatic
  /// photosui/phpickerconfiguration/filter
  public var filter: PHPickerFilter?
  /// photosui/phpickerconfiguration/selectionlimit
  public var selectionLimit = 1
  /// photosui/phpickerconfiguration/init()
  public init() {}
}

/// photosui/phpickerresult
public struct PHPickerResult {
  /// photosui/phpickerresult/itemprovider
  public let itemProvider: NSItemProvider
  /// Not Apple's.
  public init(_ itemProvider: NSItemProvider) { self.itemProvider = itemProvider }
}

/// photosui/phpickerviewcontrollerdelegate
@MainActor @preconcurrency
public protocol PHPickerViewControllerDelegate: AnyObject {
  /// photosui/phpickerviewcontrollerdelegate/picker(_:didfinishpicking:)
  func picker(_ picker: PHPickerViewController, didFinishPicking results: [PHPickerResult])
}

/// photosui/phpickerviewcontroller
@MainActor
public final class PHPickerViewController: UIViewController {
  /// photosui/phpickerviewcontroller/configuration
  public private(set) var configuration = PHPickerConfiguration()
  /// photosui/phpickerviewcontroller/delegate
  public weak var delegate: (any PHPickerViewControllerDelegate)?
  /// photosui/phpickerviewcontroller/init(configuration:)
  public convenience init(configuration: PHPickerConfiguration) {
    self.init(nibName: nil, bundle: nil)
    self.configuration = configuration
  }
}

/// foundation/nsitemprovider
/// Foundation has none on Linux. Loads the bytes that a test set.
open class NSItemProvider: NSObject {
  private let data: Data?
  /// Not Apple's.
  public init(_ data: Data?) { self.data = data }
  /// foundation/nsitemprovider/hasitemconformingtotypeidentifier(_:)
  open func hasItemConformingToTypeIdentifier(_ typeIdentifier: String) -> Bool { data != nil }
  /// foundation/nsitemprovider/loaddatarepresentation(fortypeidentifier:completionhandler:)
  @discardableResult
  open func loadDataRepresentation(
    forTypeIdentifier typeIdentifier: String,
    completionHandler: @escaping (Data?, (any Error)?) -> Void
  ) -> Progress {
    completionHandler(data, nil)
    return Progress(totalUnitCount: 1)
  }
}
