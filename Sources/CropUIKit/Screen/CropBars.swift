#if canImport(UIKit)
  import CropCore
  import UIKit

  /// The bars of a crop screen: at the top to finish and undo, at the bottom to change the image.
  /// On a phone in landscape orientation, they are at the sides, with the dial between them.
  @MainActor
  final class CropBars {
    /// Called when a control is used.
    var onTool: ((CropTool) -> Void)?
    /// Called with the ratio that was chosen.
    var onRatio: ((RatioChoice) -> Void)?
    /// Called with the tilt from the dial.
    var onTilt: ((CropAngle, TiltPhase) -> Void)?

    private let free = UILayoutGuide()
    private let top = UIStackView()
    private let bottom = UIStackView()
    private let dial = StraightenDial()
    private let heading = UILabel()
    private var buttons: [CropTool: UIButton] = [:]
    private var presets: [CropRatioPreset] = []
    private var isInstalled = false
    private var hasOwnBar = false
    private var hasDial = false
    private var arrangement: [NSLayoutConstraint] = []
    private var arrangedSize = CGSize.zero
    /// The area that the top bar stays in: above the image, and beside it.
    private var topArea: (above: UILayoutGuide, beside: UILayoutGuide)?
    private var markedRatio: RatioChoice?

    /// The area that the bars leave free, in view points; nil without bars.
    var freeArea: CGRect? { isInstalled ? free.layoutFrame : nil }

    /// The title above the image; nil for none.
    var title: String? {
      get { heading.text }
      set {
        guard newValue != heading.text else { return }
        heading.text = newValue
        heading.isHidden = newValue?.isEmpty ?? true
        // The bars are arranged again.
        arrangedSize = .zero
      }
    }

    /// The anchor for the question about Cancel.
    var cancelButton: UIButton? { buttons[.cancel] }

    /// Adds the controls over the crop view. Without controls, the crop view fills the screen.
    func install(
      _ tools: [CropTool], over cropView: CropView, in view: UIView, custom: UIView?,
      _ presets: [CropRatioPreset], _ words: CropWords
    ) {
      self.presets = presets
      cropView.translatesAutoresizingMaskIntoConstraints = false
      view.addSubview(cropView)
      NSLayoutConstraint.activate([
        cropView.topAnchor.constraint(equalTo: view.topAnchor),
        cropView.bottomAnchor.constraint(equalTo: view.bottomAnchor),
        cropView.leadingAnchor.constraint(equalTo: view.leadingAnchor),
        cropView.trailingAnchor.constraint(equalTo: view.trailingAnchor),
      ])
      guard !tools.isEmpty || custom != nil else { return }
      isInstalled = true
      for tool in tools where tool != .straighten { buttons[tool] = button(tool, words) }
      let upper = tools.filter(\.isAtTop).compactMap { buttons[$0] }
      let lower = tools.filter { !$0.isAtTop }.compactMap { buttons[$0] }
      fill(top, with: upper)
      hasOwnBar = custom != nil
      fill(bottom, with: custom.map { [$0] } ?? lower)
      topArea = Self.topArea(of: view)
      view.addLayoutGuide(free)
      prepareHeading()
      for part in [top, bottom, heading] {
        part.translatesAutoresizingMaskIntoConstraints = false
        view.addSubview(part)
      }
      if custom == nil, tools.contains(.straighten) { prepareDial(words) }
    }

    private func prepareHeading() {
      heading.font = .preferredFont(forTextStyle: .headline)
      heading.adjustsFontForContentSizeCategory = true
      heading.maximumContentSizeCategory = .accessibilityMedium
      heading.textAlignment = .center
      heading.textColor = .label
      heading.numberOfLines = 2
      heading.accessibilityTraits = .header
      heading.isHidden = heading.text?.isEmpty ?? true
    }

    private func fill(_ bar: UIStackView, with parts: [UIView]) {
      bar.distribution = .equalSpacing
      bar.alignment = .center
      bar.spacing = 8
      for part in parts { bar.addArrangedSubview(part) }
    }

    /// The safe area without the corner that the controls of an iPad's window cover: a row is beside
    /// them, a column below.
    private static func topArea(of view: UIView) -> (above: UILayoutGuide, beside: UILayoutGuide) {
      #if os(iOS)
        if #available(iOS 26.0, *) {
          return (
            view.layoutGuide(for: .safeArea(cornerAdaptation: .horizontal)),
            view.layoutGuide(for: .safeArea(cornerAdaptation: .vertical))
          )
        }
      #endif
      return (view.safeAreaLayoutGuide, view.safeAreaLayoutGuide)
    }

    private func prepareDial(_ words: CropWords) {
      hasDial = true
      dial.onTilt = { [weak self] in self?.onTilt?($0, $1) }
      dial.show(.zero, words)
      dial.translatesAutoresizingMaskIntoConstraints = false
      // On the narrowest phone, the buttons leave less.
      let width = dial.widthAnchor.constraint(greaterThanOrEqualToConstant: 160)
      width.priority = .defaultHigh
      NSLayoutConstraint.activate([
        dial.heightAnchor.constraint(greaterThanOrEqualToConstant: 48), width,
      ])
    }

    // MARK: Layout

    /// Arranges the bars for a view of this size, in points.
    func arrange(in view: UIView, _ size: CGSize) {
      guard isInstalled, size != arrangedSize else { return }
      arrangedSize = size
      NSLayoutConstraint.deactivate(arrangement)
      arrangement =
        size.height < 480 && size.width > size.height
        ? besides(view) : aboveAndBelow(view, width: size.width)
      NSLayoutConstraint.activate(arrangement)
    }

    // Constraints are added to lists one statement at a time: a long sum of lists takes the compiler
    // too long with Apple's frameworks.

    /// Makes a length as small as possible, to leave the rest to the image.
    private func least(_ length: NSLayoutDimension, _ points: CGFloat) -> [NSLayoutConstraint] {
      let least = length.constraint(equalToConstant: points)
      least.priority = .defaultLow
      return [length.constraint(greaterThanOrEqualToConstant: points), least]
    }

    private func aboveAndBelow(_ view: UIView, width: CGFloat) -> [NSLayoutConstraint] {
      for bar in [top, bottom] { bar.axis = .horizontal }
      if hasDial {
        // The dial takes the space between the buttons.
        bottom.distribution = .fill
        bottom.addArrangedSubview(dial)
      }
      let area = view.safeAreaLayoutGuide
      let topArea = topArea?.above ?? area
      // On a wide screen, keeps controls that are used together close to each other.
      let side = max(16, (width - 720) / 2)
      var result: [NSLayoutConstraint] = [
        top.topAnchor.constraint(equalTo: topArea.topAnchor, constant: 4),
        top.leadingAnchor.constraint(equalTo: topArea.leadingAnchor, constant: 16),
        top.trailingAnchor.constraint(equalTo: topArea.trailingAnchor, constant: -16),
        bottom.bottomAnchor.constraint(equalTo: area.bottomAnchor, constant: -8),
        bottom.leadingAnchor.constraint(equalTo: area.leadingAnchor, constant: side),
        bottom.trailingAnchor.constraint(equalTo: area.trailingAnchor, constant: -side),
        free.bottomAnchor.constraint(equalTo: bottom.topAnchor, constant: -14),
        free.leadingAnchor.constraint(equalTo: area.leadingAnchor, constant: 14),
        free.trailingAnchor.constraint(equalTo: area.trailingAnchor, constant: -14),
      ]
      result += least(top.heightAnchor, 44)
      result += least(bottom.heightAnchor, 48)
      result += belowTitle(top.bottomAnchor, 4)
      return result
    }

    /// The title, if there is one, below an edge, and the image below it.
    private func belowTitle(
      _ edge: NSLayoutYAxisAnchor, _ distance: CGFloat
    ) -> [NSLayoutConstraint] {
      guard !heading.isHidden else {
        return [free.topAnchor.constraint(equalTo: edge, constant: 14)]
      }
      var result = least(heading.heightAnchor, 22)
      result += [
        heading.topAnchor.constraint(equalTo: edge, constant: distance),
        heading.leadingAnchor.constraint(equalTo: free.leadingAnchor),
        heading.trailingAnchor.constraint(equalTo: free.trailingAnchor),
        free.topAnchor.constraint(equalTo: heading.bottomAnchor, constant: 8),
      ]
      return result
    }

    private func besides(_ view: UIView) -> [NSLayoutConstraint] {
      let area = view.safeAreaLayoutGuide
      top.axis = .vertical
      if !hasOwnBar { bottom.axis = .vertical }
      if hasDial {
        bottom.distribution = .equalSpacing
        view.addSubview(dial)
      }
      var result: [NSLayoutConstraint] = [
        top.leadingAnchor.constraint(equalTo: area.leadingAnchor, constant: 8),
        top.topAnchor.constraint(equalTo: (topArea?.beside ?? area).topAnchor, constant: 8),
        top.bottomAnchor.constraint(equalTo: area.bottomAnchor, constant: -8),
        free.leadingAnchor.constraint(equalTo: top.trailingAnchor, constant: 14),
      ]
      result += least(top.widthAnchor, 44)
      result += belowTitle(area.topAnchor, 8)
      if hasOwnBar {
        result.append(free.trailingAnchor.constraint(equalTo: area.trailingAnchor, constant: -14))
      } else {
        result += trailingBar(area)
      }
      result += belowImage(area)
      return result
    }

    /// The bottom bar at the trailing side.
    private func trailingBar(_ area: UILayoutGuide) -> [NSLayoutConstraint] {
      var result = least(bottom.widthAnchor, 44)
      result += [
        bottom.trailingAnchor.constraint(equalTo: area.trailingAnchor, constant: -8),
        bottom.topAnchor.constraint(equalTo: area.topAnchor, constant: 8),
        bottom.bottomAnchor.constraint(equalTo: area.bottomAnchor, constant: -8),
        free.trailingAnchor.constraint(equalTo: bottom.leadingAnchor, constant: -14),
      ]
      return result
    }

    /// The custom bar or the dial below the image, between the bars at the sides.
    private func belowImage(_ area: UILayoutGuide) -> [NSLayoutConstraint] {
      let below: UIView? = hasOwnBar ? bottom : hasDial ? dial : nil
      guard let below else {
        return [free.bottomAnchor.constraint(equalTo: area.bottomAnchor, constant: -14)]
      }
      var result = least(below.heightAnchor, 48)
      result += [
        below.leadingAnchor.constraint(equalTo: free.leadingAnchor),
        below.trailingAnchor.constraint(equalTo: free.trailingAnchor),
        below.bottomAnchor.constraint(equalTo: area.bottomAnchor, constant: -4),
        free.bottomAnchor.constraint(equalTo: below.topAnchor, constant: -10),
      ]
      return result
    }

    // MARK: The controls

    private func button(_ tool: CropTool, _ words: CropWords) -> UIButton {
      var configuration = Self.configuration(of: tool)
      let name = tool.name(words.screens)
      configuration.image = UIImage(systemName: tool.symbol)
      let button = UIButton(
        configuration: configuration,
        primaryAction: tool == .ratio
          ? nil : UIAction { [weak self] _ in self?.onTool?(tool) })
      button.accessibilityLabel = name
      // A symbol does not grow with the text size; a long press shows it enlarged.
      button.showsLargeContentViewer = true
      button.largeContentTitle = name
      button.addInteraction(UILargeContentViewerInteraction())
      button.maximumContentSizeCategory = .accessibilityMedium
      button.showsMenuAsPrimaryAction = tool == .ratio
      NSLayoutConstraint.activate([
        button.widthAnchor.constraint(greaterThanOrEqualToConstant: 44),
        button.heightAnchor.constraint(greaterThanOrEqualToConstant: 44),
      ])
      return button
    }

    /// The look of a control: glass where the system has it.
    private static func configuration(of tool: CropTool) -> UIButton.Configuration {
      #if os(iOS)
        if #available(iOS 26.0, *) { return tool == .done ? .prominentGlass() : .glass() }
      #endif
      var configuration = UIButton.Configuration.plain()
      configuration.baseForegroundColor = tool == .done ? CropLook().accent : .label
      return configuration
    }

    /// Updates which controls are enabled. While the result is made, only Cancel is.
    func update(_ session: CropSession, isWorking: Bool, _ words: CropWords) {
      for (tool, button) in buttons {
        let isPossible =
          switch tool {
          case .undo: session.canUndo
          case .redo: session.canRedo
          case .reset: session.canReset
          case .done: session.isValid
          default: true
          }
        button.isEnabled = tool == .cancel || isPossible && !isWorking
      }
      buttons[.done]?.configuration?.showsActivityIndicator = isWorking
      dial.isUserInteractionEnabled = !isWorking
      if dial.tilt != session.tilt { dial.show(session.tilt, words) }
      // In quad style, the corners straighten the image.
      dial.isHidden = session.settings.style == .quad
      markRatio(session.ratio, words)
    }

    /// Builds the menu of ratios, unless it marks this one already: the controls are updated with
    /// every step of a gesture.
    private func markRatio(_ current: RatioChoice, _ words: CropWords) {
      guard let ratio = buttons[.ratio], current != markedRatio else { return }
      markedRatio = current
      ratio.menu = UIMenu(
        title: words.screens.ratio,
        children: presets.map { preset in
          UIAction(
            title: preset.name(words), state: preset.ratio == current ? .on : .off
          ) { [weak self] _ in self?.onRatio?(preset.ratio) }
        })
      // The symbol does not show which ratio is selected.
      ratio.accessibilityValue = presets.first { $0.ratio == current }?.name(words)
    }
  }
#endif
