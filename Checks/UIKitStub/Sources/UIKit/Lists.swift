/// uikit/uicontentconfiguration
@MainActor
public protocol UIContentConfiguration {}

/// uikit/uilistcontentconfiguration
public struct UIListContentConfiguration: UIContentConfiguration {
  /// uikit/uilistcontentconfiguration/text
  public var text: String?
  /// uikit/uilistcontentconfiguration/secondarytext
  public var secondaryText: String?
  /// uikit/uilistcontentconfiguration/valuecell()
  nonisolated public static func valueCell() -> UIListContentConfiguration {
    UIListContentConfiguration()
  }
  nonisolated init() {}
}

/// uikit/uitableviewcell
@MainActor
open class UITableViewCell: UIView {
  /// uikit/uitableviewcell/accessorytype-swift.enum
  public enum AccessoryType: Int, Sendable {
    /// uikit/uitableviewcell/accessorytype-swift.enum/none
    case none, disclosureIndicator
  }
  /// uikit/uitableviewcell/contentconfiguration
  open var contentConfiguration: (any UIContentConfiguration)?
  /// uikit/uitableviewcell/accessorytype-swift.property
  open var accessoryType = AccessoryType.none
}

/// uikit/uitableview
@MainActor
open class UITableView: UIView {
  /// uikit/uitableview/style-swift.enum
  public enum Style: Int, Sendable {
    /// uikit/uitableview/style-swift.enum/plain
    case plain, grouped, insetGrouped
  }
  /// uikit/uitableview/reloaddata()
  open func reloadData() {}
  /// uikit/uitableview/backgroundview
  open var backgroundView: UIView?
  /// uikit/uitableview/register(_:forcellreuseidentifier:)
  open func register(_ cellClass: AnyClass?, forCellReuseIdentifier identifier: String) {}
  /// uikit/uitableview/dequeuereusablecell(withidentifier:for:)
  open func dequeueReusableCell(
    withIdentifier identifier: String, for indexPath: IndexPath
  ) -> UITableViewCell { UITableViewCell() }
}

/// uikit/uitableviewcontroller
@MainActor
open class UITableViewController: UIViewController {
  /// uikit/uitableviewcontroller/tableview
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  open var tableView: UITableView! = UITableView()
  /// The view is the table.
  open override func loadView() { view = tableView }
  /// uikit/uitableviewcontroller/init(style:)
  public init(style: UITableView.Style) { super.init(nibName: nil, bundle: nil) }
  /// uikit/uitableviewcontroller/init(nibname:bundle:)
  public override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
    super.init(nibName: nil, bundle: nil)
  }
  /// uikit/uitableviewcontroller/init(coder:)
  public required init?(coder: NSCoder) { super.init(coder: coder) }
  /// uikit/uitableviewcontroller/tableview(_:numberofrowsinsection:)
  open func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { 0 }
  /// uikit/uitableviewcontroller/tableview(_:cellforrowat:)
  open func tableView(
    _ tableView: UITableView, cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell { UITableViewCell() }
  /// uikit/uitableviewcontroller/tableview(_:didselectrowat:)
  open func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {}
}

extension IndexPath {
  /// foundation/indexpath/row
  public var row: Int { self[1] }
  /// foundation/indexpath/item
  public var item: Int { self[1] }
}

/// uikit/uicollectionviewcell
@MainActor
open class UICollectionViewCell: UIView {
  /// uikit/uicollectionviewcell/contentview
  public let contentView = UIView()
  /// uikit/uicollectionviewcell/prepareforreuse()
  open func prepareForReuse() {}
  /// uikit/uicollectionviewcell/init(frame:)
  public override init(frame: CGRect) { super.init(frame: frame) }
  /// uikit/uicollectionviewcell/init(coder:)
  public required init?(coder: NSCoder) { super.init(coder: coder) }
}

/// uikit/uicollectionviewlayout
@MainActor
open class UICollectionViewLayout {
  /// uikit/uicollectionviewlayout/init()
  public init() {}
}

/// uikit/uicollectionview
@MainActor
open class UICollectionView: UIView {
  /// uikit/uicollectionview/backgroundview
  open var backgroundView: UIView?
  /// uikit/uicollectionview/reloaddata()
  open func reloadData() {}
  /// uikit/uicollectionview/register(_:forcellwithreuseidentifier:)
  open func register(_ cellClass: AnyClass?, forCellWithReuseIdentifier identifier: String) {}
  /// uikit/uicollectionview/dequeuereusablecell(withreuseidentifier:for:)
  open func dequeueReusableCell(
    withReuseIdentifier identifier: String, for indexPath: IndexPath
  ) -> UICollectionViewCell { UICollectionViewCell(frame: .zero) }
}

/// uikit/uicollectionviewcontroller
@MainActor
open class UICollectionViewController: UIViewController {
  /// uikit/uicollectionviewcontroller/collectionview
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  open var collectionView: UICollectionView! = UICollectionView()
  /// uikit/uicollectionviewcontroller/init(collectionviewlayout:)
  public init(collectionViewLayout layout: UICollectionViewLayout) {
    super.init(nibName: nil, bundle: nil)
  }
  /// uikit/uicollectionviewcontroller/init(coder:)
  public required init?(coder: NSCoder) { super.init(coder: coder) }
  /// uikit/uicollectionviewcontroller/collectionview(_:numberofitemsinsection:)
  open func collectionView(
    _ collectionView: UICollectionView, numberOfItemsInSection section: Int
  ) -> Int { 0 }
  /// uikit/uicollectionviewcontroller/collectionview(_:cellforitemat:)
  open func collectionView(
    _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
  ) -> UICollectionViewCell { UICollectionViewCell(frame: .zero) }
  /// uikit/uicollectionviewcontroller/collectionview(_:didselectitemat:)
  open func collectionView(
    _ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath
  ) {}
}

/// uikit/nscollectionlayoutdimension
@MainActor
open class NSCollectionLayoutDimension {
  /// uikit/nscollectionlayoutdimension/fractionalwidth(_:)
  open class func fractionalWidth(_ fractionalWidth: CGFloat) -> Self { Self() }
  /// uikit/nscollectionlayoutdimension/init()
  public required init() {}
}

/// uikit/nscollectionlayoutsize
@MainActor
open class NSCollectionLayoutSize {
  /// uikit/nscollectionlayoutsize/init(widthdimension:heightdimension:)
  public init(
    widthDimension width: NSCollectionLayoutDimension,
    heightDimension height: NSCollectionLayoutDimension
  ) {}
}

/// uikit/nsdirectionaledgeinsets
public struct NSDirectionalEdgeInsets: Equatable, Sendable {
  /// uikit/nsdirectionaledgeinsets/top
  public var top: CGFloat, leading: CGFloat, bottom: CGFloat, trailing: CGFloat
  /// uikit/nsdirectionaledgeinsets/init(top:leading:bottom:trailing:)
  public init(top: CGFloat, leading: CGFloat, bottom: CGFloat, trailing: CGFloat) {
    (self.top, self.leading, self.bottom, self.trailing) = (top, leading, bottom, trailing)
  }
}

/// uikit/nscollectionlayoutitem
@MainActor
open class NSCollectionLayoutItem {
  /// uikit/nscollectionlayoutitem/contentinsets
  open var contentInsets = NSDirectionalEdgeInsets(top: 0, leading: 0, bottom: 0, trailing: 0)
  /// uikit/nscollectionlayoutitem/init(layoutsize:)
  public init(layoutSize: NSCollectionLayoutSize) {}
}

/// uikit/nscollectionlayoutgroup
@MainActor
open class NSCollectionLayoutGroup: NSCollectionLayoutItem {
  /// uikit/nscollectionlayoutgroup/horizontal(layoutsize:subitems:)
  open class func horizontal(
    layoutSize: NSCollectionLayoutSize, subitems: [NSCollectionLayoutItem]
  ) -> NSCollectionLayoutGroup { NSCollectionLayoutGroup(layoutSize: layoutSize) }
}

/// uikit/nscollectionlayoutsection
@MainActor
open class NSCollectionLayoutSection {
  /// uikit/nscollectionlayoutsection/init(group:)
  public init(group: NSCollectionLayoutGroup) {}
}

/// uikit/uicollectionviewcompositionallayout
@MainActor
open class UICollectionViewCompositionalLayout: UICollectionViewLayout {
  /// uikit/uicollectionviewcompositionallayout/init(section:)
  public init(section: NSCollectionLayoutSection) { super.init() }
}
