#if canImport(UIKit)
  import Photos
  import UIKit

  /// An album's photos as thumbnails; each cell loads its own while it is on the screen.
  final class PhotoGridController: UICollectionViewController {
    private static let cell = "photo"

    var onChoose: ((PHAsset) -> Void)?
    /// What an empty album says.
    var emptyText = ""

    private let album: PhotoAlbum
    private let loader: PhotoLoader

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

    /// Squares, four in a row.
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
      guard album.assets.count == 0 else { return }
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
      (cell as? PhotoCell)?.show(album.assets.object(at: indexPath.item), from: loader)
      return cell
    }

    override func collectionView(
      _ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath
    ) {
      onChoose?(album.assets.object(at: indexPath.item))
    }
  }

  /// A thumbnail.
  final class PhotoCell: UICollectionViewCell {
    private let picture = UIImageView()
    private var cancel: (() -> Void)?

    override init(frame: CGRect) {
      super.init(frame: frame)
      picture.contentMode = .scaleAspectFill
      picture.clipsToBounds = true
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
      cancel?()
      cancel = nil
      picture.image = nil
    }

    /// Loads and shows an asset's thumbnail.
    func show(_ asset: PHAsset, from loader: PhotoLoader) {
      accessibilityLabel = asset.creationDate?.formatted(date: .long, time: .shortened)
      let side = bounds.width * traitCollection.displayScale
      let request = loader.thumbnail(of: asset, side: side) { [weak self] in
        self?.picture.image = $0
      }
      cancel = { loader.cancel(request) }
    }
  }
#endif
