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
  ) -> AVCaptureDevice? { nil }
  /// avfoundation/avcapturedevice/requestaccess(for:)
  open class func requestAccess(for mediaType: AVMediaType) async -> Bool { false }
  /// avfoundation/avcapturedevice/position-swift.property
  open var position: Position { .unspecified }
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
  open var isActive: Bool { false }
  /// avfoundation/avcaptureconnection/isvideoorientationsupported
  open var isVideoOrientationSupported: Bool { false }
  /// avfoundation/avcaptureconnection/videoorientation
  open var videoOrientation = AVCaptureVideoOrientation.portrait
}

/// avfoundation/avcaptureoutput
open class AVCaptureOutput: NSObject {
  /// avfoundation/avcaptureoutput/connection(with:)
  open func connection(with mediaType: AVMediaType) -> AVCaptureConnection? { nil }
}

/// avfoundation/avcaptureresolvedphotosettings
open class AVCaptureResolvedPhotoSettings: NSObject {}

/// avfoundation/avcapturedeviceinput
open class AVCaptureDeviceInput: AVCaptureInput {
  /// avfoundation/avcapturedeviceinput/device
  open var device: AVCaptureDevice { fatalError("there is no camera here") }
  /// avfoundation/avcapturedeviceinput/init(device:)
  public init(device: AVCaptureDevice) throws { super.init() }
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
  /// avfoundation/avcapturesession/outputs
  open var outputs: [AVCaptureOutput] { [] }
  /// avfoundation/avcapturesession/isrunning
  open var isRunning: Bool { false }
  /// avfoundation/avcapturesession/startrunning()
  open func startRunning() {}
  /// avfoundation/avcapturesession/stoprunning()
  open func stopRunning() {}
  /// avfoundation/avcapturesession/beginconfiguration()
  open func beginConfiguration() {}
  /// avfoundation/avcapturesession/commitconfiguration()
  open func commitConfiguration() {}
  /// avfoundation/avcapturesession/canaddinput(_:)
  open func canAddInput(_ input: AVCaptureInput) -> Bool { false }
  /// avfoundation/avcapturesession/addinput(_:)
  open func addInput(_ input: AVCaptureInput) {}
  /// avfoundation/avcapturesession/removeinput(_:)
  open func removeInput(_ input: AVCaptureInput) {}
  /// avfoundation/avcapturesession/canaddoutput(_:)
  open func canAddOutput(_ output: AVCaptureOutput) -> Bool { false }
  /// avfoundation/avcapturesession/addoutput(_:)
  open func addOutput(_ output: AVCaptureOutput) {}
}

/// avfoundation/avcapturephotosettings
open class AVCapturePhotoSettings: NSObject {
  /// avfoundation/avcapturephotosettings/init()
  public override init() { super.init() }
  /// avfoundation/avcapturephotosettings/flashmode
  open var flashMode = AVCaptureDevice.FlashMode.off
}

/// avfoundation/avcapturephoto
open class AVCapturePhoto: NSObject {
  /// avfoundation/avcapturephoto/filedatarepresentation()
  open func fileDataRepresentation() -> Data? { nil }
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
  open func capturePhoto(
    with settings: AVCapturePhotoSettings, delegate: any AVCapturePhotoCaptureDelegate
  ) {}
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
  open var connection: AVCaptureConnection? { nil }
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
