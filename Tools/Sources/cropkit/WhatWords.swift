import ArgumentParser
import CropArguments
import CropCore

/// What to cut in the words of a person: options of a command, or keys of a manifest's line.
struct WhatWords {
  /// Whether a recipe says all of it.
  var hasRecipe = false
  /// Whether the crop of another program says where it lies.
  var hasMark = false
  var rect: RectArgument?
  var quad: QuadArgument?
  var inset: InsetArgument?
  var aspect: AspectArgument?
  var gravity: GravityArgument?
  var turn: TurnArgument?
  var mirror: MirrorArgument?
  var tilt: TiltArgument?
  var shape: ShapeArgument?
  var size: SizeArgument?
  var maxSide: Int?

  /// What can't be said together; nil where all is well.
  var problem: String? {
    let areas = [
      ("rect", rect != nil), ("quad", quad != nil), ("inset", inset != nil),
      ("aspect", aspect != nil),
    ].filter(\.1)
    if areas.count > 1 { return "--\(areas[0].0) and --\(areas[1].0) can't be used together" }
    if gravity != nil, aspect == nil { return "--gravity needs --aspect" }
    if quad != nil, tilt != nil { return "--quad and --tilt can't be used together" }
    if case .straightened = size?.size, quad == nil {
      return "--size takes a name or a ratio with --quad; otherwise use WIDTHxHEIGHT"
    }
    if size != nil, maxSide != nil { return "--size and --max-side can't be used together" }
    if hasMark, let other = besideMark {
      return "--crop-from and --\(other) can't be used together"
    }
    if hasRecipe, !isEmpty {
      return "--recipe says all that is to be cut; leave the other options out"
    }
    return nil
  }

  /// What can't be said beside the crop of another program.
  private var besideMark: String? {
    let all: [(String, Any?)] = [
      ("recipe", hasRecipe ? true : nil), ("rect", rect), ("quad", quad), ("inset", inset),
      ("aspect", aspect), ("gravity", gravity), ("turn", turn), ("mirror", mirror), ("tilt", tilt),
    ]
    return all.first { $0.1 != nil }?.0
  }

  /// Whether nothing is said beside a recipe.
  var isEmpty: Bool {
    let all: [Any?] = [
      rect, quad, inset, aspect, gravity, turn, mirror, tilt, shape, size, maxSide,
    ]
    return all.allSatisfy { $0 == nil }
  }

  /// The same, as plain values; a recipe is not among them.
  var values: WhatToCut {
    var values = WhatToCut()
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
}

extension WhatWords {
  /// The keys of a manifest's line, of the same names and values as the options of `cropkit crop`.
  enum Key: String, CodingKey, CaseIterable {
    case rect, quad, inset, aspect, gravity, turn, mirror, tilt, shape, size, maxSide
  }

  /// Reads what a line says.
  ///
  /// - Throws: `DecodingError` for a value that the option would refuse.
  init(from fields: KeyedDecodingContainer<Key>) throws {
    rect = try fields.argument(.rect)
    quad = try fields.argument(.quad)
    inset = try fields.argument(.inset)
    aspect = try fields.argument(.aspect)
    gravity = try fields.argument(.gravity)
    turn = try fields.argument(.turn)
    mirror = try fields.argument(.mirror)
    tilt = try fields.argument(.tilt)
    shape = try fields.argument(.shape)
    size = try fields.argument(.size)
    maxSide = try fields.argument(.maxSide)
  }
}

extension KeyedDecodingContainer {
  /// What an option would be with this text or number as its value; nil without a value.
  fileprivate func argument<Value: ExpressibleByArgument>(_ key: Key) throws -> Value? {
    guard contains(key), try !decodeNil(forKey: key) else { return nil }
    let text: String
    if let number = try? decode(Int.self, forKey: key) {
      text = String(number)
    } else if let number = try? decode(Double.self, forKey: key) {
      text = String(number)
    } else {
      text = try decode(String.self, forKey: key)
    }
    if let value = Value(argument: text) { return value }
    let option = key.stringValue == "maxSide" ? "max-side" : key.stringValue
    let known = OptionForm.words(for: option) ?? Value.allValueStrings.joined(separator: ", ")
    throw DecodingError.dataCorruptedError(
      forKey: key, in: self, debugDescription: "\"\(text)\" is not understood; expected \(known)")
  }
}
