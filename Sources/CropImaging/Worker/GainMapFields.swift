import CropCore

/// The cut of a gain map as JSON.
struct GainMapFields: Codable, Sendable {
  var map: SizeFields
  var size: SizeFields
  var exact: RectFields?
  var turn: Int
  /// The six numbers of the affine map.
  var place: [Double]

  init(_ cut: GainMapCut) {
    map = SizeFields(cut.map)
    size = SizeFields(cut.size)
    exact = cut.exact.map(RectFields.init)
    turn = cut.turn.rawValue
    let place = cut.place
    self.place = [place.a, place.b, place.c, place.d, place.tx, place.ty]
  }

  /// The cut; nil for numbers of which there is none.
  var cut: GainMapCut? {
    guard place.count == 6, let turn = Orientation(rawValue: turn) else { return nil }
    return GainMapCut(
      map: map.size(), size: size.size(), exact: exact?.rect(), turn: turn,
      place: Affine(
        a: place[0], b: place[1], c: place[2], d: place[3], tx: place[4], ty: place[5]))
  }
}
