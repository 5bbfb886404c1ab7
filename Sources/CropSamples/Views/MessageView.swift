#if canImport(UIKit)
  import UIKit

  /// A message in the middle of the screen, with a button for an action.
  final class MessageView: UIView {
    private let words = UILabel()
    private let button = UIButton(configuration: .filled(), primaryAction: nil)
    private var action: (() -> Void)?

    override init(frame: CGRect) {
      super.init(frame: frame)
      words.numberOfLines = 0
      words.textAlignment = .center
      words.textColor = .label
      words.font = .preferredFont(forTextStyle: .body)
      words.adjustsFontForContentSizeCategory = true
      backgroundColor = .systemBackground
      let stack = UIStackView(arrangedSubviews: [words, button])
      stack.axis = .vertical
      stack.spacing = 16
      stack.alignment = .center
      stack.translatesAutoresizingMaskIntoConstraints = false
      addSubview(stack)
      NSLayoutConstraint.activate([
        stack.centerYAnchor.constraint(equalTo: centerYAnchor),
        stack.leadingAnchor.constraint(equalTo: layoutMarginsGuide.leadingAnchor),
        stack.trailingAnchor.constraint(equalTo: layoutMarginsGuide.trailingAnchor),
      ])
      button.addAction(UIAction { [weak self] _ in self?.action?() }, for: .primaryActionTriggered)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) {
      nil
    }

    var text: String? { isHidden ? nil : words.text }

    /// Shows a message, and a button if there is an action.
    func show(_ text: String, action title: String?, _ action: @escaping () -> Void) {
      words.text = text
      button.isHidden = title == nil
      button.configuration?.title = title
      self.action = action
      isHidden = false
      UIAccessibility.post(notification: .screenChanged, argument: words)
    }
  }

  extension UIView {
    /// Opens the app's page in the Settings app, through the scene, because extensions have no
    /// application object.
    func openSettings() {
      guard let url = URL(string: UIApplication.openSettingsURLString) else { return }
      window?.windowScene?.open(url, options: nil, completionHandler: nil)
    }
  }
#endif
