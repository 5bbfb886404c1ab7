import CropCore
import Foundation
import Photos
import PhotosUI
import Testing
import UIKit

@testable import CheckedCropSamples
@testable import CheckedCropUIKit

/// The albums of a library that a test fills.
@Suite(.serialized) struct LibraryTests {
  private let stage = PhotosStage.shared
  private let presenter = UIViewController()
  private let words = CropWords.preferred.screens

  init() { stage.clear() }

  private func albums(_ picker: PhotoPickerController) throws -> AlbumViewController {
    try #require(picker.viewControllers.first as? AlbumViewController)
  }

  @Test func `refused, the message leaves the bar with Cancel free`() async throws {
    let picker = PhotoPickerController()
    var answers: [Data?] = []
    picker.onPick = { answers.append($0) }
    presenter.present(picker, animated: false)
    let list = try albums(picker)
    await settle { list.tableView.backgroundView != nil }
    let message = list.tableView.backgroundView as? MessageView
    #expect(message?.text == words.noPhotoAccess)
    #expect(picker.view.subviews.allSatisfy { !($0 is MessageView) })
    list.navigationItem.leftBarButtonItem?.tap()
    #expect(answers == [nil])
  }

  @Test func `a swipe down answers like Cancel, once`() {
    let picker = PhotoPickerController()
    var answers: [Data?] = []
    picker.onPick = { answers.append($0) }
    presenter.present(picker, animated: false)
    presenter.dismiss(animated: true)
    #expect(answers == [nil])
  }

  @Test func `albums are fetched off the main thread, and follow the library`() async throws {
    stage.status = .authorized
    stage.albums = [("Holidays", [PHAsset(), PHAsset()]), ("roll", [PHAsset()])]
    let list = AlbumViewController(style: .plain)
    list.loadViewIfNeeded()
    await settle { !list.albums.isEmpty }
    #expect(list.albums.map(\.title) == ["Holidays", words.cameraRoll])
    #expect(list.albums.map { $0.assets.count } == [2, 1])
    #expect(!stage.fetchedOnMain)
    #expect(list.navigationItem.rightBarButtonItem == nil)
    stage.albums = [("roll", [PHAsset(), PHAsset()])]
    stage.change()
    await settle { list.albums.count == 1 }
    #expect(list.albums.map { $0.assets.count } == [2])
  }

  @Test func `users who selected some photos for the app can select more`() async throws {
    stage.status = .limited
    let list = AlbumViewController(style: .plain)
    list.loadViewIfNeeded()
    await settle { list.navigationItem.rightBarButtonItem != nil }
    list.navigationItem.rightBarButtonItem?.tap()
    #expect(list.presentedViewController is LimitedLibraryPicker)
  }

  @Test func `a grid follows its album, and an empty one shows a message`() async {
    let album = PhotoAlbum(title: "A", assets: PHFetchResult([PHAsset()]))
    let grid = PhotoGridController(album, loader: PhotoLoader())
    grid.emptyText = "none"
    grid.loadViewIfNeeded()
    #expect(grid.collectionView.backgroundView == nil)
    stage.change(PHFetchResult([]))
    await settle { grid.album.assets.count == 0 }
    #expect((grid.collectionView.backgroundView as? MessageView)?.text == "none")
  }

  @Test func `a late thumbnail is not shown in the cell of another photo`() async {
    let cell = PhotoCell(frame: CGRect(x: 0, y: 0, width: 80, height: 80))
    let loader = PhotoLoader()
    cell.show(PHAsset(), from: loader)
    cell.prepareForReuse()
    cell.show(PHAsset(), from: loader)
    let (late, right) = (UIImage.blank(1, 1), UIImage.blank(2, 2))
    let waiting = stage.thumbnails
    #expect(waiting.count == 2)
    waiting[1](right, nil)
    await settle { cell.picture.image != nil }
    waiting[0](late, nil)
    await settleMainActor()
    #expect(cell.picture.image === right)
  }

  @Test func `CameraDemo: album, photo, clip; all closes, then callback, then notification`()
    async throws
  {
    let photo = Data("a photo of the album".utf8)
    PictureFileContents.register(PictureFileContents(.blank(80, 60)), as: photo)
    stage.status = .authorized
    stage.albums = [("roll", [PHAsset()])]
    stage.original = photo
    var reported: [String] = []
    let token = NotificationCenter.default.addObserver(
      forName: Notification.Name("PicutreFromAlbum"), object: nil, queue: nil
    ) { note in
      let image = note.userInfo?["image"] as? UIImage
      // A test of the camera may post its own image at the same time, which is 3 wide.
      guard image?.size.width != 3 else { return }
      MainActor.assumeIsolated { reported.append("posted \(image?.size.width ?? 0)") }
    }
    defer { NotificationCenter.default.removeObserver(token) }
    AlbumViewController.clipPhoto(from: presenter) { [presenter] image in
      let isClosed = presenter.presentedViewController == nil
      reported.append("callback \(image?.size.width ?? 0) \(isClosed)")
    }
    let picker = try #require(presenter.presentedViewController as? PhotoPickerController)
    let list = try albums(picker)
    await settle { !list.albums.isEmpty }
    list.tableView(list.tableView, didSelectRowAt: [0, 0])
    let grid = try #require(picker.topViewController as? PhotoGridController)
    grid.collectionView(grid.collectionView, didSelectItemAt: [0, 0])
    await settle { picker.presentedViewController != nil }
    let clip = try #require(picker.presentedViewController as? AlbumDetailsViewController)
    clip.view.frame = CGRect(x: 0, y: 0, width: 400, height: 800)
    for _ in 0..<2 { clip.view.layoutIfNeeded() }
    let buttons = clip.view.subviews.compactMap { $0 as? UIButton }
    #expect(buttons.map { $0.configuration?.title } == [words.cancel, words.use])
    buttons.last?.sendActions(for: .primaryActionTriggered)
    await settle { reported.count == 2 }
    #expect(reported == ["callback 60.0 true", "posted 60.0"])
  }

  @Test func `saving asks first, keeps the file unchanged, and reports failures`() async throws {
    await #expect(throws: PictureError.noAccess) { try await PhotoAlbum.save(Data("x".utf8)) }
    // Tests of the app may save images, but no files.
    #expect(stage.saved.compactMap(\.self) == [])
    stage.status = .limited
    try await PhotoAlbum.save(Data("x".utf8))
    try await PhotoAlbum.save(.blank(2, 2))
    #expect(stage.saved.compactMap(\.self) == [Data("x".utf8)])
    #expect(stage.saved.contains(nil))
  }

  @Test func `words follow the app's languages, not the phone's`() {
    #expect(CropWords.preferred(["ar-SA", "en"]).selection == CropWords.arabic.selection)
    #expect(CropWords.preferred(["tlh", "ar"]).selection == CropWords.arabic.selection)
    #expect(CropWords.preferred([]).selection == CropWords.english.selection)
    let ofTheApp = CropWords.preferred(Bundle.main.preferredLocalizations)
    #expect(CropWords.preferred.selection == ofTheApp.selection)
  }
}
