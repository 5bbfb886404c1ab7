import AVFoundation
import CropCore
import Foundation
import Testing
import UIKit

@testable import CheckedCropSamples
@testable import CheckedCropUIKit

/// The camera's screen, with the cameras that a test adds to the stage.
@Suite(.serialized) struct CameraTests {
  private let stage = AVFoundationStage.shared
  private let screen = CameraViewController()
  private let presenter = UIViewController()
  private let words = CropWords.preferred.screens

  init() {
    stage.clear()
    screen.savesToAlbum = false
  }

  private func appear() async {
    screen.view.frame = CGRect(x: 0, y: 0, width: 400, height: 800)
    presenter.present(screen, animated: false)
    screen.view.layoutIfNeeded()
    await settle { controls?.isEnabled == true || message != nil }
  }

  private var controls: CameraControls? {
    screen.view.subviews.compactMap { $0 as? CameraControls }.first
  }
  private var messageView: MessageView? {
    screen.view.subviews.compactMap { $0 as? MessageView }.first
  }
  private var message: String? { messageView?.text }

  private func press(_ label: String) {
    let buttons = controls?.subviews.compactMap { $0 as? UIButton } ?? []
    buttons.first { $0.accessibilityLabel == label }?.sendActions(for: .primaryActionTriggered)
  }

  private func pressMessageButton() {
    let stack = messageView?.subviews.first
    stack?.subviews.compactMap { $0 as? UIButton }.first?
      .sendActions(for: .primaryActionTriggered)
  }

  private func takeAPicture(_ bytes: String) async -> ClipViewController? {
    let data = Data(bytes.utf8)
    PictureFileContents.register(PictureFileContents(.blank(60, 80)), as: data)
    stage.picture = data
    press(words.takePicture)
    await settle { screen.presentedViewController != nil || message != nil }
    return screen.presentedViewController as? ClipViewController
  }

  @Test func `without permission the screen says what to do, and Cancel is seen in light mode`()
    async
  {
    stage.cameras = [StageCamera(.back, hasFlash: true)]
    await appear()
    #expect(message == words.noCameraAccess)
    let traits = screen.view.traitCollection
    #expect(traits.userInterfaceStyle == .dark)
    let ground = messageView?.backgroundColor?.resolved(traits).components
    #expect(ground == [0, 0, 0, 1], "white controls lie on it")
    var answers: [UIImage?] = []
    screen.onUse = { answers.append($0) }
    press(words.cancel)
    #expect(answers == [nil] && presenter.presentedViewController == nil)
  }

  @Test func `without a camera, a message is shown`() async {
    stage.isAllowed = true
    await appear()
    #expect(message == words.noCamera)
    #expect(!CameraViewController.isAvailable)
  }

  @Test func `settings are opened by the scene, which extensions have too`() async throws {
    await appear()
    let window = UIWindow(frame: .zero)
    let scene = UIWindowScene()
    window.windowScene = scene
    window.addSubview(screen.view)
    pressMessageButton()
    #expect(scene.opened.map(\.absoluteString) == ["app-settings:"])
  }

  @Test func `a failed shot can be retried`() async {
    stage.isAllowed = true
    stage.cameras = [StageCamera(.back, hasFlash: true)]
    await appear()
    #expect(message == nil)
    press(words.takePicture)
    await settle { message != nil }
    #expect(message == words.shotFailed && controls?.isEnabled == false)
    pressMessageButton()
    #expect(message == nil && controls?.isEnabled == true)
    #expect(await takeAPicture("the second shot") != nil)
  }

  @Test func `Retake continues with the same camera`() async throws {
    stage.isAllowed = true
    stage.cameras = [StageCamera(.back, hasFlash: true), StageCamera(.front, hasFlash: false)]
    await appear()
    let flash = controls?.subviews.compactMap { $0 as? UIButton }
      .first { $0.accessibilityLabel == words.flashAuto }
    #expect(flash?.isHidden == false)
    press(words.switchCamera)
    await settle { flash?.isHidden == true }
    let clip = try #require(await takeAPicture("a selfie"))
    screen.viewDidDisappear(false)
    clip.onRetake?()
    // Enabled again once the camera runs; by then its flash is known.
    controls?.isEnabled = false
    screen.viewWillAppear(false)
    await settle { controls?.isEnabled == true }
    await settleMainActor()
    #expect(flash?.isHidden == true, "the front camera has no flash")
  }

  @Test func `an interruption is reported and passes; an error restarts the session`() async throws
  {
    stage.isAllowed = true
    stage.cameras = [StageCamera(.back, hasFlash: true)]
    await appear()
    let preview = screen.view.subviews.compactMap { $0 as? CameraPreview }.first
    let session = try #require((preview?.layer as? AVCaptureVideoPreviewLayer)?.session)
    func post(_ name: Notification.Name) {
      NotificationCenter.default.post(name: name, object: session)
    }
    post(AVCaptureSession.wasInterruptedNotification)
    await settle { message != nil }
    #expect(message == words.cameraBusy && controls?.isEnabled == false)
    post(AVCaptureSession.interruptionEndedNotification)
    await settle { message == nil }
    #expect(message == nil && controls?.isEnabled == true)
    session.stopRunning()
    post(AVCaptureSession.runtimeErrorNotification)
    await settle { session.isRunning }
    #expect(session.isRunning)
  }

  @Test func `a camera that always fails is restarted three times, then by the user`() async throws
  {
    stage.isAllowed = true
    stage.cameras = [StageCamera(.back, hasFlash: true)]
    await appear()
    let preview = screen.view.subviews.compactMap { $0 as? CameraPreview }.first
    let session = try #require((preview?.layer as? AVCaptureVideoPreviewLayer)?.session)
    func fail() {
      session.stopRunning()
      NotificationCenter.default.post(
        name: AVCaptureSession.runtimeErrorNotification, object: session)
    }
    for _ in 0..<3 {
      fail()
      await settle { session.isRunning }
      #expect(session.isRunning && message == nil)
    }
    fail()
    await settle { message != nil }
    #expect(message == words.cameraFailed && !session.isRunning)
    pressMessageButton()
    await settle { session.isRunning && message == nil }
    #expect(session.isRunning)
  }

  @Test func `the preview follows a rotation from one landscape to the other`() async throws {
    stage.isAllowed = true
    stage.cameras = [StageCamera(.back, hasFlash: true)]
    await appear()
    let preview = screen.view.subviews.compactMap { $0 as? CameraPreview }.first
    let connection = (preview?.layer as? AVCaptureVideoPreviewLayer)?.connection
    // The view's size does not change.
    stage.rotation?.turn(180)
    await settle { connection?.videoRotationAngle == 180 }
    #expect(connection?.videoRotationAngle == 180)
  }

  @Test func `beside another app, the camera runs where the device allows it`() async throws {
    stage.isAllowed = true
    stage.cameras = [StageCamera(.back, hasFlash: true)]
    stage.supportsMultitasking = true
    await appear()
    let preview = screen.view.subviews.compactMap { $0 as? CameraPreview }.first
    let session = (preview?.layer as? AVCaptureVideoPreviewLayer)?.session
    #expect(session?.isMultitaskingCameraAccessEnabled == true)
  }

  @Test func `the session starts on a separate queue, and shots have full resolution`() async {
    nonisolated final class Seen: @unchecked Sendable { var onQueue: Bool? }
    let seen = Seen()
    stage.isAllowed = true
    stage.cameras = [StageCamera(.back, hasFlash: true)]
    stage.onStart = { seen.onQueue = DispatchQueue.getSpecific(key: SerialQueue.key) }
    screen.photoMetadata = ["{GPS}": ["Latitude": 48.1]]
    await appear()
    #expect(seen.onQueue == true)
    _ = await takeAPicture("48 megapixels")
    #expect(stage.settings?.maxPhotoDimensions == CMVideoDimensions(width: 8064, height: 6048))
    #expect(stage.settings?.metadata["{GPS}"] != nil)
  }

  @Test func `Use closes both screens, returns the image and its file, then notifies`()
    async throws
  {
    stage.isAllowed = true
    stage.cameras = [StageCamera(.back, hasFlash: true)]
    await appear()
    let clip = try #require(await takeAPicture("a picture to use"))
    clip.view.frame = CGRect(x: 0, y: 0, width: 400, height: 800)
    for _ in 0..<2 { clip.view.layoutIfNeeded() }
    #expect(clip.traitCollection.userInterfaceStyle == .dark)
    var reported: [String] = []
    screen.onUseFile = { reported.append(PictureFileContents.of($0) == nil ? "?" : "file") }
    screen.onUse = { [presenter] image in
      reported.append("\(image?.size.width ?? 0) \(presenter.presentedViewController == nil)")
    }
    let token = NotificationCenter.default.addObserver(
      forName: CameraViewController.pictureTaken, object: screen, queue: nil
    ) { note in
      MainActor.assumeIsolated { reported.append("posted") }
      #expect(note.userInfo?[CameraViewController.pictureKey] is UIImage)
    }
    defer { NotificationCenter.default.removeObserver(token) }
    let use = clip.view.subviews.compactMap { $0 as? UIButton }.last
    use?.sendActions(for: .primaryActionTriggered)
    await settle { reported.count == 3 }
    #expect(reported == ["file", "60.0 true", "posted"])
  }

  @Test func `dismissed by a swipe, it answers like Cancel, once`() async {
    await appear()
    var answers = 0
    screen.onUse = { _ in answers += 1 }
    presenter.dismiss(animated: true)
    #expect(answers == 1)
  }
}
