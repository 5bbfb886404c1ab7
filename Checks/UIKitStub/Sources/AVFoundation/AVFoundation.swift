import Foundation
import UIKit

/// avfoundation/avmediatype
public struct AVMediaType: RawRepresentable, Hashable, Sendable {
  /// avfoundation/avmediatype/rawvalue
  public let rawValue: String
  /// avfoundation/avmediatype/init(rawvalue:)
  public init(rawValue: String) { self.rawValue = rawValue }
  /// avfoundation/avmediatype/video
  public static let video = AVMediaType(rawValue: "vide")
}

/// avfoundation/avcapturedevice
open class AVCaptureDevice: NSObject {
  /// avfoundation/avcapturedevice/position-swift.enum
  public enum Position: Int, Sendable {
    /// avfoundation/avcapturedevice/position-swift.enum/unspecified
    case unspecified, back, front
  }
  /// avfoundation/avcapturedevice/flashmode-swift.enum
  public enum FlashMode: Int, Sendable {
    /// avfoundation/avcapturedevice/flashmode-swift.enum/off
    case off, on, auto
  }
  /// avfoundation/avcapturedevice/focusmode-swift.enum
  public enum FocusMode: Int, Sendable {
    /// avfoundation/avcapturedevice/focusmode-swift.enum/locked
    case locked, autoFocus, continuousAutoFocus
  }
  /// avfoundation/avcapturedevice/exposuremode-swift.enum
  public enum ExposureMode: Int, Sendable {
    /// avfoundation/avcapturedevice/exposuremode-swift.enum/locked
    case locked, autoExpose, continuousAutoExposure, custom
  }
  /// avfoundation/avcapturedevice/devicetype-swift.struct
  public struct DeviceType: RawRepresentable, Hashable, Sendable {
    /// avfoundation/avcapturedevice/devicetype-swift.struct/rawvalue
    public let rawValue: String
    /// avfoundation/avcapturedevice/devicetype-swift.struct/init(rawvalue:)
    public init(rawValue: String) { self.rawValue = rawValue }
    /// avfoundation/avcapturedevice/devicetype-swift.struct/builtinwideanglecamera
    public static let builtInWideAngleCamera = DeviceType(rawValue: "wide")
  }

  /// avfoundation/avcapturedevice/default(_:for:position:)
  open class func `default`(
    _ deviceType: DeviceType, for mediaType: AVMediaType?, position: Position
  ) -> AVCaptureDevice? { AVFoundationStage.shared.cameras.first { $0.position == position } }
  /// avfoundation/avcapturedevice/requestaccess(for:)
  open class func requestAccess(for mediaType: AVMediaType) async -> Bool {
    AVFoundationStage.shared.isAllowed
  }
  /// avfoundation/avcapturedevice/position-swift.property
  open var position: Position { .unspecified }
  /// avfoundation/avcapturedevice/format
  open class Format: NSObject {
    /// avfoundation/avcapturedevice/format/supportedmaxphotodimensions
    open var supportedMaxPhotoDimensions: [CMVideoDimensions] {
      [CMVideoDimensions(width: 4032, height: 3024), CMVideoDimensions(width: 8064, height: 6048)]
    }
  }
  /// avfoundation/avcapturedevice/activeformat
  open var activeFormat: Format { Format() }
  /// avfoundation/avcapturedevice/rotationcoordinator
  @available(iOS 17.0, *)
  open class RotationCoordinator: NSObject {
    /// avfoundation/avcapturedevice/rotationcoordinator/init(device:previewlayer:)
    public init(device: AVCaptureDevice, previewLayer: CALayer?) {
      super.init()
      AVFoundationStage.shared.note(self)
    }
    /// avfoundation/avcapturedevice/rotationcoordinator/videorotationangleforhorizonlevelpreview
    open private(set) var videoRotationAngleForHorizonLevelPreview: CGFloat = 90
    private var observers: [() -> Void] = []
    /// Not Apple's: turns the device.
    public func turn(_ angle: CGFloat) {
      videoRotationAngleForHorizonLevelPreview = angle
      for observer in observers { observer() }
    }
    /// foundation/nsobject/observe(_:options:changehandler:)
    public func observe<Value>(
      _ keyPath: KeyPath<RotationCoordinator, Value>, options: NSKeyValueObservingOptions,
      changeHandler: @escaping (RotationCoordinator, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
      let observation = NSKeyValueObservation()
      observers.append { [weak self, weak observation] in
        guard let self, observation != nil else { return }
        changeHandler(self, NSKeyValueObservedChange())
      }
      return observation
    }
    /// avfoundation/avcapturedevice/rotationcoordinator/videorotationangleforhorizonlevelcapture
    open var videoRotationAngleForHorizonLevelCapture: CGFloat { 90 }
  }
  /// avfoundation/avcapturedevice/hasflash
  open var hasFlash: Bool { false }
  /// avfoundation/avcapturedevice/lockforconfiguration()
  open func lockForConfiguration() throws {}
  /// avfoundation/avcapturedevice/unlockforconfiguration()
  open func unlockForConfiguration() {}
  /// avfoundation/avcapturedevice/isfocuspointofinterestsupported
  open var isFocusPointOfInterestSupported: Bool { false }
  /// avfoundation/avcapturedevice/focuspointofinterest
  open var focusPointOfInterest = CGPoint.zero
  /// avfoundation/avcapturedevice/isfocusmodesupported(_:)
  open func isFocusModeSupported(_ focusMode: FocusMode) -> Bool { false }
  /// avfoundation/avcapturedevice/focusmode-swift.property
  open var focusMode = FocusMode.locked
  /// avfoundation/avcapturedevice/isexposurepointofinterestsupported
  open var isExposurePointOfInterestSupported: Bool { false }
  /// avfoundation/avcapturedevice/exposurepointofinterest
  open var exposurePointOfInterest = CGPoint.zero
  /// avfoundation/avcapturedevice/isexposuremodesupported(_:)
  open func isExposureModeSupported(_ exposureMode: ExposureMode) -> Bool { false }
  /// avfoundation/avcapturedevice/exposuremode-swift.property
  open var exposureMode = ExposureMode.locked
}

/// foundation/nskeyvalueobservation
public final class NSKeyValueObservation: NSObject {}
/// foundation/nskeyvalueobservedchange
public struct NSKeyValueObservedChange<Value> {}
/// foundation/nskeyvalueobservingoptions
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
  /// foundation/nskeyvalueobservingoptions/rawvalue
  public let rawValue: UInt
  /// foundation/nskeyvalueobservingoptions/init(rawvalue:)
  public init(rawValue: UInt) { self.rawValue = rawValue }
  /// foundation/nskeyvalueobservingoptions/new
  public static let new = NSKeyValueObservingOptions(rawValue: 1)
}

/// avfoundation/avcaptureinput
open class AVCaptureInput: NSObject {}
/// avfoundation/avcapturevideoorientation
public enum AVCaptureVideoOrientation: Int, Sendable {
  /// avfoundation/avcapturevideoorientation/portrait
  case portrait = 1
  /// avfoundation/avcapturevideoorientation/portraitupsidedown
  case portraitUpsideDown, landscapeRight, landscapeLeft
}

/// avfoundation/avcaptureconnection
open class AVCaptureConnection: NSObject {
  /// avfoundation/avcaptureconnection/isactive
  open var isActive: Bool { true }
  /// avfoundation/avcaptureconnection/isvideorotationanglesupported(_:)
  @available(iOS 17.0, *)
  open func isVideoRotationAngleSupported(_ videoRotationAngle: CGFloat) -> Bool { true }
  /// avfoundation/avcaptureconnection/videorotationangle
  @available(iOS 17.0, *)
  open var videoRotationAngle: CGFloat {
    get { angle }
    set { angle = newValue }
  }
  private var angle: CGFloat = 0
  /// avfoundation/avcaptureconnection/isvideoorientationsupported
  open var isVideoOrientationSupported: Bool { false }
  /// avfoundation/avcaptureconnection/videoorientation
  open var videoOrientation = AVCaptureVideoOrientation.portrait
}

/// avfoundation/avcaptureoutput
open class AVCaptureOutput: NSObject {
  /// avfoundation/avcaptureoutput/connection(with:)
  open func connection(with mediaType: AVMediaType) -> AVCaptureConnection? { connection }
  private let connection = AVCaptureConnection()
}

/// avfoundation/avcaptureresolvedphotosettings
open class AVCaptureResolvedPhotoSettings: NSObject {}

/// avfoundation/avcapturedeviceinput
open class AVCaptureDeviceInput: AVCaptureInput {
  /// avfoundation/avcapturedeviceinput/device
  public let device: AVCaptureDevice
  /// avfoundation/avcapturedeviceinput/init(device:)
  public init(device: AVCaptureDevice) throws {
    self.device = device
    super.init()
  }
}

/// avfoundation/avcapturesession
open class AVCaptureSession: NSObject {
  /// avfoundation/avcapturesession/preset
  public struct Preset: RawRepresentable, Hashable, Sendable {
    /// avfoundation/avcapturesession/preset/rawvalue
    public let rawValue: String
    /// avfoundation/avcapturesession/preset/init(rawvalue:)
    public init(rawValue: String) { self.rawValue = rawValue }
    /// avfoundation/avcapturesession/preset/photo
    public static let photo = Preset(rawValue: "photo")
  }
  /// avfoundation/avcapturesession/sessionpreset
  open var sessionPreset = Preset(rawValue: "high")
  /// avfoundation/avcapturesession/wasinterruptednotification
  public static let wasInterruptedNotification = Notification.Name("wasInterrupted")
  /// avfoundation/avcapturesession/interruptionendednotification
  public static let interruptionEndedNotification = Notification.Name("interruptionEnded")
  /// avfoundation/avcapturesession/runtimeerrornotification
  public static let runtimeErrorNotification = Notification.Name("runtimeError")
  /// avfoundation/avcapturesession/ismultitaskingcameraaccesssupported
  @available(macCatalyst, unavailable)
  open var isMultitaskingCameraAccessSupported: Bool {
    AVFoundationStage.shared.supportsMultitasking
  }
  /// avfoundation/avcapturesession/ismultitaskingcameraaccessenabled
  @available(macCatalyst, unavailable)
  open var isMultitaskingCameraAccessEnabled: Bool {
    get { multitasks }
    set { multitasks = newValue }
  }
  private var multitasks = false
  /// avfoundation/avcapturesession/outputs
  open private(set) var outputs: [AVCaptureOutput] = []
  /// avfoundation/avcapturesession/isrunning
  open private(set) var isRunning = false
  /// avfoundation/avcapturesession/startrunning()
  open func startRunning() {
    AVFoundationStage.shared.noteStart()
    isRunning = true
  }
  /// avfoundation/avcapturesession/stoprunning()
  open func stopRunning() { isRunning = false }
  /// avfoundation/avcapturesession/beginconfiguration()
  open func beginConfiguration() {}
  /// avfoundation/avcapturesession/commitconfiguration()
  open func commitConfiguration() {}
  /// avfoundation/avcapturesession/canaddinput(_:)
  open func canAddInput(_ input: AVCaptureInput) -> Bool { true }
  /// avfoundation/avcapturesession/addinput(_:)
  open func addInput(_ input: AVCaptureInput) {}
  /// avfoundation/avcapturesession/removeinput(_:)
  open func removeInput(_ input: AVCaptureInput) {}
  /// avfoundation/avcapturesession/canaddoutput(_:)
  open func canAddOutput(_ output: AVCaptureOutput) -> Bool { true }
  /// avfoundation/avcapturesession/addoutput(_:)
  open func addOutput(_ output: AVCaptureOutput) { outputs.append(output) }
}

/// coremedia/cmvideodimensions
public struct CMVideoDimensions: Equatable, Sendable {
  /// coremedia/cmvideodimensions/width
  public var width: Int32
  /// coremedia/cmvideodimensions/height
  public var height: Int32
  /// coremedia/cmvideodimensions/init(width:height:)
  public init(width: Int32, height: Int32) { (self.width, self.height) = (width, height) }
}

/// avfoundation/avcapturephotosettings
open class AVCapturePhotoSettings: NSObject {
  /// avfoundation/avcapturephotosettings/init()
  public override init() { super.init() }
  /// avfoundation/avcapturephotosettings/flashmode
  open var flashMode = AVCaptureDevice.FlashMode.off
  /// avfoundation/avcapturephotosettings/maxphotodimensions
  open var maxPhotoDimensions = CMVideoDimensions(width: 0, height: 0)
  /// avfoundation/avcapturephotosettings/metadata
  open var metadata: [String: Any] = [:]
}

/// avfoundation/avcapturephoto
open class AVCapturePhoto: NSObject {
  /// avfoundation/avcapturephoto/filedatarepresentation()
  open func fileDataRepresentation() -> Data? { AVFoundationStage.shared.picture }
}

/// avfoundation/avcapturephotocapturedelegate
public protocol AVCapturePhotoCaptureDelegate: NSObjectProtocol {
  /// avfoundation/avcapturephotocapturedelegate/photooutput(_:didfinishprocessingphoto:error:)
  func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto,
    error: (any Error)?)
  /// avfoundation/avcapturephotocapturedelegate/photooutput(_:didfinishcapturefor:error:)
  func photoOutput(
    _ output: AVCapturePhotoOutput,
    didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings, error: (any Error)?)
}

/// avfoundation/avcapturephotooutput
open class AVCapturePhotoOutput: AVCaptureOutput {
  /// avfoundation/avcapturephotooutput/init()
  public override init() { super.init() }
  /// avfoundation/avcapturephotooutput/supportedflashmodes
  open var supportedFlashModes: [AVCaptureDevice.FlashMode] { [] }
  /// avfoundation/avcapturephotooutput/capturephoto(with:delegate:)
  /// Immediately returns what a test set.
  open func capturePhoto(
    with settings: AVCapturePhotoSettings, delegate: any AVCapturePhotoCaptureDelegate
  ) {
    AVFoundationStage.shared.note(settings)
    delegate.photoOutput(self, didFinishProcessingPhoto: AVCapturePhoto(), error: nil)
    delegate.photoOutput(
      self, didFinishCaptureFor: AVCaptureResolvedPhotoSettings(), error: nil)
  }
  /// avfoundation/avcapturephotooutput/maxphotodimensions
  open var maxPhotoDimensions = CMVideoDimensions(width: 4032, height: 3024)
}

/// Not Apple's: the available cameras, and how they were used.
public final class AVFoundationStage: @unchecked Sendable {
  /// The only instance.
  public static let shared = AVFoundationStage()
  private let lock = NSLock()
  private var state = State()
  private struct State {
    var cameras: [AVCaptureDevice] = []
    var isAllowed = false
    var picture: Data?
    var settings: AVCapturePhotoSettings?
    var onStart: (@Sendable () -> Void)?
    var supportsMultitasking = false
    var rotation: AnyObject?
  }

  /// The device's cameras.
  public var cameras: [AVCaptureDevice] {
    get { lock.withLock { state.cameras } }
    set { lock.withLock { state.cameras = newValue } }
  }
  /// Whether the user allows the camera.
  public var isAllowed: Bool {
    get { lock.withLock { state.isAllowed } }
    set { lock.withLock { state.isAllowed = newValue } }
  }
  /// The file of every photo; nil for one that fails.
  public var picture: Data? {
    get { lock.withLock { state.picture } }
    set { lock.withLock { state.picture = newValue } }
  }
  /// The settings of the last shot.
  public var settings: AVCapturePhotoSettings? { lock.withLock { state.settings } }
  /// Called when a session starts.
  public var onStart: (@Sendable () -> Void)? {
    get { lock.withLock { state.onStart } }
    set { lock.withLock { state.onStart = newValue } }
  }
  /// Whether the device allows the camera beside another app.
  public var supportsMultitasking: Bool {
    get { lock.withLock { state.supportsMultitasking } }
    set { lock.withLock { state.supportsMultitasking = newValue } }
  }
  /// The last rotation coordinator.
  @available(iOS 17.0, *)
  public var rotation: AVCaptureDevice.RotationCoordinator? {
    lock.withLock { state.rotation as? AVCaptureDevice.RotationCoordinator }
  }
  @available(iOS 17.0, *)
  func note(_ rotation: AVCaptureDevice.RotationCoordinator) {
    lock.withLock { state.rotation = rotation }
  }
  func noteStart() { onStart?() }
  func note(_ settings: AVCapturePhotoSettings) { lock.withLock { state.settings = settings } }
  /// Resets to a device without a camera.
  public func clear() { lock.withLock { state = State() } }
}

/// Not Apple's: a camera at the front or back.
public final class StageCamera: AVCaptureDevice {
  private let side: Position
  private let flash: Bool
  /// A camera.
  public init(_ side: Position, hasFlash: Bool) { (self.side, flash) = (side, hasFlash) }
  public override var position: Position { side }
  public override var hasFlash: Bool { flash }
}

/// avfoundation/avlayervideogravity
public struct AVLayerVideoGravity: RawRepresentable, Hashable, Sendable {
  /// avfoundation/avlayervideogravity/rawvalue
  public let rawValue: String
  /// avfoundation/avlayervideogravity/init(rawvalue:)
  public init(rawValue: String) { self.rawValue = rawValue }
  /// avfoundation/avlayervideogravity/resizeaspectfill
  public static let resizeAspectFill = AVLayerVideoGravity(rawValue: "fill")
}

/// avfoundation/avcapturevideopreviewlayer
open class AVCaptureVideoPreviewLayer: CALayer {
  /// avfoundation/avcapturevideopreviewlayer/connection
  public let connection: AVCaptureConnection? = AVCaptureConnection()
  /// avfoundation/avcapturevideopreviewlayer/session
  open var session: AVCaptureSession?
  /// avfoundation/avcapturevideopreviewlayer/videogravity
  open var videoGravity = AVLayerVideoGravity(rawValue: "fit")
  /// avfoundation/avcapturevideopreviewlayer/capturedevicepointconverted(fromlayerpoint:)
  open func captureDevicePointConverted(fromLayerPoint pointInLayer: CGPoint) -> CGPoint { .zero }
}

/// avfoundation/avaudioplayer
open class AVAudioPlayer: NSObject {
  /// avfoundation/avaudioplayer/init(contentsof:)
  public init(contentsOf url: URL) throws { super.init() }
  /// avfoundation/avaudioplayer/preparetoplay()
  @discardableResult open func prepareToPlay() -> Bool { false }
  @discardableResult open func play() -> Bool { false }
}
