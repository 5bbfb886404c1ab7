import ArgumentParser
import CropArguments
import CropCore
import CropImaging

extension WhatWords {
  /// What can't be said together; nil where all is well.
  var problem: String? {
    for keys in Self.exclusive {
      let said = keys.filter(holds)
      if said.count > 1 {
        return "--\(said[0].option) and --\(said[1].option) can't be used together"
      }
    }
    for (key, needed) in Self.needs where holds(key) && !holds(needed) {
      return "--\(key.option) needs --\(needed.option)"
    }
    if case .straightened = size?.size, quad == nil {
      return "--size takes a name or a ratio with --quad; otherwise use WIDTHxHEIGHT"
    }
    if hasMark {
      let beside: [Key] = [.rect, .quad, .inset, .aspect, .gravity, .turn, .mirror, .tilt]
      if let other = hasRecipe ? "recipe" : beside.first(where: holds)?.option {
        return "--crop-from and --\(other) can't be used together"
      }
    }
    if hasRecipe, !isEmpty {
      return "--recipe says all that is to be cut; leave the other options out"
    }
    return nil
  }

  /// Whether nothing is said beside a recipe.
  var isEmpty: Bool { !Key.allCases.contains(where: holds) }

  /// The same, as plain values; a recipe is not among them.
  var values: WhatToCut {
    var values = WhatToCut()
    values.words = texts
    values.area =
      rect?.area ?? inset?.area ?? aspect.map { .ratio($0.ratio, gravity?.gravity ?? .center) }
    values.quarterTurns = turn?.quarterTurns ?? 0
    if let mirror { values.mirror(mirror) }
    values.tilt = tilt?.tilt ?? .zero
    values.shape = shape?.shape ?? .rectangle
    values.quad = quad?.corners
    switch size?.size {
    case .exact(let width, let height): values.output = .exact(width: width, height: height)
    case .straightened(let size): values.quadSize = size
    case nil: break
    }
    if let maxSide { values.output = .maxSide(maxSide) }
    return values
  }

  /// Reads what a line says.
  ///
  /// - Throws: `DecodingError` for a value that the option would refuse.
  init(from fields: KeyedDecodingContainer<Key>) throws {
    for key in Key.allCases where fields.contains(key) {
      guard let text = try fields.text(key) else { continue }
      texts.append("\(key.rawValue)=\(text)")
      guard set(key, to: text) else {
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
      case .turn: TurnArgument.allValueStrings
      case .mirror: MirrorArgument.allValueStrings
      default: GravityArgument.allValueStrings
      }
    return values.joined(separator: ", ")
  }
}

extension CropOptions {
  func validate() throws {
    if let problem = words.problem { throw ValidationError(problem) }
  }

  /// The same, as plain values.
  var values: WhatToCut {
    var values = words.values
    values.recipeFile = recipe
    values.mark = cropFrom?.choice
    return values
  }
}

extension OutputOptions {
  /// How the result is written, as the options say.
  func resultOptions(isLenient: Bool) -> ResultOptions {
    var options = ResultOptions(isLenient: isLenient)
    // What the parser let through is understood.
    for (key, text) in said { if let text { _ = options.set(key, to: text) } }
    return options
  }

  /// Lets texts through that the option understands.
  static func checked(_ key: ResultOptions.Key) -> @Sendable (String) throws -> String {
    { text in
      var options = ResultOptions()
      guard options.set(key, to: text) else { throw ValidationError("it is not understood") }
      return text
    }
  }
}

extension KeyedDecodingContainer {
  /// The text or number of a key, as an option has it; nil for null.
  fileprivate func text(_ key: Key) throws -> String? {
    if try decodeNil(forKey: key) { return nil }
    if let number = try? decode(Int.self, forKey: key) { return String(number) }
    if let number = try? decode(Double.self, forKey: key) { return String(number) }
    return try decode(String.self, forKey: key)
  }
}
