#if canImport(UIKit)
  import Photos
  import UIKit

  /// The list of albums: names and counts.
  final class AlbumListController: UITableViewController {
    private static let cell = "album"

    var onChoose: ((PhotoAlbum) -> Void)?

    var albums: [PhotoAlbum] = [] {
      didSet { tableView.reloadData() }
    }

    override func viewDidLoad() {
      super.viewDidLoad()
      tableView.register(UITableViewCell.self, forCellReuseIdentifier: Self.cell)
    }

    override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
      albums.count
    }

    override func tableView(
      _ tableView: UITableView, cellForRowAt indexPath: IndexPath
    ) -> UITableViewCell {
      let cell = tableView.dequeueReusableCell(withIdentifier: Self.cell, for: indexPath)
      let album = albums[indexPath.row]
      var content = UIListContentConfiguration.valueCell()
      content.text = album.title
      content.secondaryText = album.assets.count.formatted()
      cell.contentConfiguration = content
      cell.accessoryType = .disclosureIndicator
      return cell
    }

    override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
      onChoose?(albums[indexPath.row])
    }
  }
#endif
