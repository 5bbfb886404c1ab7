/// A box of a HEIF file: its type and the position of its content.
struct HEIFBox {
  let type: String
  /// The position of the type.
  let name: Int
  let start: Int
  let end: Int
  /// Whether the box claims to be longer than its container, whose end is then `end`.
  let isCut: Bool
}

extension PictureReader {
  /// The largest number of boxes of one kind; more count as damage.
  static var mostBoxes: Int { 100_000 }

  /// The boxes between two offsets.
  mutating func boxes(from start: Int, to end: Int) throws(CropError) -> [HEIFBox] {
    var boxes: [HEIFBox] = []
    var position = start
    while position < end, boxes.count < Self.mostBoxes {
      guard let small = try big32(position), position + 8 <= end,
        let name = try bytes(position + 4, 4)
      else {
        boxes.append(HEIFBox(type: "", name: end, start: end, end: end, isCut: true))
        break
      }
      var content = position + 8
      var size = small
      if small == 1 {
        guard let large = try number(position + 8, size: 8), position + 16 <= end else {
          throw corrupt("a box is cut short")
        }
        (size, content) = (large, position + 16)
      } else if small == 0 {
        size = end - position
      }
      guard size >= content - position else { throw corrupt("a box is smaller than its header") }
      let isCut = size > end - position
      let reach = isCut ? end : position + size
      boxes.append(
        HEIFBox(
          type: String(decoding: name, as: UTF8.self), name: position + 4, start: content,
          end: reach, isCut: isCut))
      position = reach
    }
    return boxes
  }
}
