#if canImport(UIKit)
  import CropUIKit
  import Photos
  import UIKit

  /// An album's photos as thumbnails; each cell loads its thumbnail while it is visible.
  final class PhotoGridController: UICollectionViewController {
    private static let cell = "photo"

    var onChoose: ((PHAsset) -> Void)?
    /// The message for an empty album.
    var emptyText = ""

    private(set) var album: PhotoAlbum
    private let loader: PhotoLoader
    private let message = MessageView()
    private var observer: PhotoLibraryObserver?

    init(_ album: PhotoAlbum, loader: PhotoLoader) {
      self.album = album
      self.loader = loader
      super.init(collectionViewLayout: Self.layout)
      title = album.title
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) {
      nil
    }

    /// Square cells, four per row.
    private static var layout: UICollectionViewLayout {
      let share = NSCollectionLayoutDimension.fractionalWidth(0.25)
      let item = NSCollectionLayoutItem(
        layoutSize: NSCollectionLayoutSize(widthDimension: share, heightDimension: share))
      item.contentInsets = NSDirectionalEdgeInsets(top: 1, leading: 1, bottom: 1, trailing: 1)
      let row = NSCollectionLayoutGroup.horizontal(
        layoutSize: NSCollectionLayoutSize(
          widthDimension: .fractionalWidth(1), heightDimension: share), subitems: [item])
      return UICollectionViewCompositionalLayout(section: NSCollectionLayoutSection(group: row))
    }

    override func viewDidLoad() {
      super.viewDidLoad()
      collectionView.register(PhotoCell.self, forCellWithReuseIdentifier: Self.cell)
      sayNothing()
      observer = PhotoLibraryObserver { [weak self] in self?.follow($0) }
    }

    /// Updates the grid after photos were added or removed.
    private func follow(_ change: PHChange) {
      guard let album = album.after(change) else { return }
      self.album = album
      sayNothing()
      collectionView.reloadData()
    }

    /// Shows a message over the photos; the navigation bar stays usable.
    func say(_ text: String, _ button: String?, _ action: @escaping () -> Void) {
      message.removeFromSuperview()
      message.show(text, action: button, action)
      message.frame = view.bounds
      view.addSubview(message)
    }

    /// Shows the photos, or a message if there are none.
    func sayNothing() {
      message.removeFromSuperview()
      guard album.assets.count == 0 else { return collectionView.backgroundView = nil }
      let empty = MessageView()
      empty.show(emptyText, action: nil) {}
      collectionView.backgroundView = empty
    }

    override func collectionView(
      _ collectionView: UICollectionView, numberOfItemsInSection section: Int
    ) -> Int {
      album.assets.count
    }

    override func collectionView(
      _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
    ) -> UICollectionViewCell {
      let cell = collectionView.dequeueReusableCell(
        withReuseIdentifier: Self.cell, for: indexPath)
      // A layout may ask for items that a change has removed.
      if indexPath.item < album.assets.count {
        (cell as? PhotoCell)?.show(album.assets.object(at: indexPath.item), from: loader)
      }
      return cell
    }

    override func collectionView(
      _ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath
    ) {
      guard indexPath.item < album.assets.count else { return }
      onChoose?(album.assets.object(at: indexPath.item))
    }
  }

  /// A cell with a thumbnail.
  final class PhotoCell: UICollectionViewCell {
    let picture = UIImageView()
    private var cancel: (() -> Void)?
    /// The number of times the cell was reused: images that arrive for an earlier use are ignored.
    private var use = 0

    override init(frame: CGRect) {
      super.init(frame: frame)
      picture.contentMode = .scaleAspectFill
      picture.clipsToBounds = true
      // Smart Invert must not show a photo as a negative.
      picture.accessibilityIgnoresInvertColors = true
      contentView.addSubview(picture)
      isAccessibilityElement = true
      accessibilityTraits = [.image, .button]
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) {
      nil
    }

    override func layoutSubviews() {
      super.layoutSubviews()
      picture.frame = contentView.bounds
    }

    override func prepareForReuse() {
      super.prepareForReuse()
      letGo()
    }

    /// Loads and shows an asset's thumbnail.
    func show(_ asset: PHAsset, from loader: PhotoLoader) {
      letGo()
      let use = use
      accessibilityLabel = asset.creationDate?.formatted(date: .long, time: .shortened)
      let side = bounds.width * traitCollection.displayScale
      let request = loader.thumbnail(of: asset, side: side) { [weak self] image in
        guard let self, self.use == use else { return }
        picture.image = image
      }
      cancel = { loader.cancel(request) }
    }

    private func letGo() {
      use += 1
      cancel?()
      cancel = nil
      picture.image = nil
    }
  }
#endif
