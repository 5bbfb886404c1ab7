import ArgumentParser
import CropArguments
import CropCore
import CropImaging

extension SpecArguments {
  /// An error about options that can't be combined; nil if there is none.
  var problem: String? {
    for keys in Self.exclusive {
      let given = keys.filter(holds)
      if given.count > 1 {
        return ConflictText.exclusive(given[0].option, given[1].option)
      }
    }
    switch areaOptions.conflict {
    case .placeNeedsArea:
      return ConflictText.placeNeedsArea((holds(.gravity) ? Key.gravity : .focus).option)
    case .clampNeedsRect: return ConflictText.clampNeedsRect()
    case .sizeNeedsQuad: return ConflictText.sizeNeedsQuad()
    case .printNeeded:
      return ConflictText.printNeeded((holds(.bleed) ? Key.bleed : .enlarge).option)
    case .circleWithQuad: return ConflictText.circleWithQuad()
    case .circleNeedsSquare(let side): return ConflictText.circleNeedsSquare("\(side)")
    case nil: break
    }
    if hasMark {
      let beside: [Key] = [
        .rect, .quad, .inset, .aspect, .trim, .gravity, .focus, .rotate, .flip, .tilt,
      ]
      if let other = hasRecipe ? "recipe" : beside.first(where: holds)?.option {
        return ConflictText.exclusive("crop-from", other)
      }
    }
    let withoutRecipe = Key.allCases.first { holds($0) && !Self.besideRecipe.contains($0) }
    if hasRecipe, let other = withoutRecipe { return ConflictText.besideRecipe(other.option) }
    return nil
  }

  /// Whether a recipe is given without other options.
  var isEmpty: Bool { !Key.allCases.contains(where: holds) }

  /// The options as plain values, without a recipe.
  var values: CropSpec {
    var values = CropSpec()
    values.texts = texts
    // With a recipe or another program's crop, the ratio comes from that.
    values.area = hasMark || hasRecipe ? nil : areaOptions.area
    values.clamps = holds(.clamp)
    values.focus = focus
    values.quarterTurns = rotate?.quarterTurns ?? 0
    if let flip { values.mirror(flip) }
    values.tilt = tilt?.tilt ?? .zero
    values.shape = shape?.shape ?? .rectangle
    values.isCircle = shape?.isCircle ?? false
    values.quad = quad?.corners
    values.findsCorners = quad.map { $0.corners == nil } ?? false
    values.trim = trim?.tolerance
    switch size?.size {
    case .exact(let width, let height): values.output = .exact(width: width, height: height)
    case .print: (values.print, values.enlarges) = (areaOptions.print, holds(.enlarge))
    case .straightened(let size): values.quadSize = size
    case nil: break
    }
    let box = areaOptions.box
    if let box { values.output = .exact(width: box.width, height: box.height) }
    if let maxSide { values.output = .maxSide(maxSide) }
    if box == nil { (values.width, values.height) = (width, height) }
    return values
  }

  /// The options that determine the area to keep.
  private var areaOptions: AreaOptions {
    var options = AreaOptions()
    (options.rect, options.inset, options.aspect) = (rect?.area, inset?.area, aspect?.ratio)
    (options.gravity, options.hasFocus) = (gravity?.gravity, focus != nil)
    (options.clamps, options.hasQuad) = (holds(.clamp), quad != nil)
    (options.isCircle, options.hasRecipe) = (shape?.isCircle ?? false, hasRecipe)
    (options.width, options.height) = (width, height)
    (options.bleed, options.enlarges) = (bleed?.length, holds(.enlarge))
    switch size?.size {
    case .exact(let width, let height): options.size = FrameSize(width: width, height: height)
    case .print(let size): options.printSize = size
    case .straightened: options.isSizeNamed = true
    case nil: break
    }
    return options
  }

  /// Decodes the keys of a line.
  ///
  /// - Throws: `DecodingError` for a value that the option would reject.
  init(from fields: KeyedDecodingContainer<Key>) throws {
    for key in Key.allCases where fields.contains(key) {
      if key == .focus, let box = try? fields.decode(FocusBox.self, forKey: key) {
        texts.append("focus=\(box.x),\(box.y),\(box.width),\(box.height)")
        focus = .box(box)
        continue
      }
      guard let text = try fields.text(key) else { continue }
      texts.append("\(key.rawValue)=\(text)")
      // A focus file is not allowed here: its path would depend on a folder.
      guard set(key, to: text), key != .focus || focus?.isFile == false else {
        let known = OptionForm.words(for: key.option) ?? Self.listed(key)
        throw DecodingError.dataCorruptedError(
          forKey: key, in: fields,
          debugDescription: "\"\(text)\" is not understood; expected \(known)")
      }
    }
  }

  private static func listed(_ key: Key) -> String {
    let values =
      switch key {
      case .rotate: RotationArgument.allValueStrings
      case .flip: FlipArgument.allValueStrings
      default: GravityArgument.allValueStrings
      }
    return values.joined(separator: ", ")
  }
}

extension CropOptions {
  func validate() throws {
    if let problem = arguments.problem { throw ValidationError(problem) }
  }

  /// The options as plain values.
  var values: CropSpec {
    var values = arguments.values
    values.recipeFile = recipe
    values.mark = cropFrom?.choice
    return values
  }
}

extension OutputOptions {
  func resultOptions(isLenient: Bool) -> ResultOptions {
    var options = ResultOptions(isLenient: isLenient)
    // The parser has already validated the texts.
    for (key, text) in parsed { if let text { _ = options.set(key, to: text) } }
    return options
  }

  /// Accepts only texts that are valid for the option.
  static func checked(_ key: ResultOptions.Key) -> @Sendable (String) throws -> String {
    { text in
      var options = ResultOptions()
      guard options.set(key, to: text) else { throw ValidationError("it is not understood") }
      return text
    }
  }
}

extension KeyedDecodingContainer {
  /// The text or number of a key, in the form for the option; nil for null, and for an option that
  /// is false.
  fileprivate func text(_ key: Key) throws -> String? where Key == SpecArguments.Key {
    if try decodeNil(forKey: key) { return nil }
    if key.isFlag { return try decode(Bool.self, forKey: key) ? "true" : nil }
    if key == .trim, let trims = try? decode(Bool.self, forKey: key) {
      return trims ? TrimArgument.usual : nil
    }
    if let number = try? decode(Int.self, forKey: key) { return String(number) }
    do {
      return String(try decode(Double.self, forKey: key))
    } catch DecodingError.typeMismatch {
      return try decode(String.self, forKey: key)
    } catch {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self, debugDescription: "the number is too large")
    }
  }
}
