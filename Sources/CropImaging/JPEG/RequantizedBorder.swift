import CropCore

/// The blocks of a lossless cut that were quantised again, because an edge of the cut divides them.
public struct RequantizedBorder: Hashable, Sendable {
  /// How far from each edge of the picture, as it is seen, pixels may differ from the source's.
  public var edges: RequantizedEdges
  /// How many blocks they are, by channel in the order of the file.
  public var blocks: [Int]

  /// Blocks at the given edges.
  public init(edges: RequantizedEdges, blocks: [Int]) {
    self.edges = edges
    self.blocks = blocks
  }
}

extension RequantizedBorder: Codable {
  private enum Key: CodingKey { case left, top, right, bottom, blocks }

  /// Reads what `encode` writes.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Key.self)
    edges = RequantizedEdges()
    edges.left = try fields.decode(Int.self, forKey: .left)
    edges.top = try fields.decode(Int.self, forKey: .top)
    edges.right = try fields.decode(Int.self, forKey: .right)
    edges.bottom = try fields.decode(Int.self, forKey: .bottom)
    blocks = try fields.decode([Int].self, forKey: .blocks)
  }

  /// `{"left":0,"top":0,"right":8,"bottom":8,"blocks":[12,6,6]}`.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Key.self)
    try fields.encode(edges.left, forKey: .left)
    try fields.encode(edges.top, forKey: .top)
    try fields.encode(edges.right, forKey: .right)
    try fields.encode(edges.bottom, forKey: .bottom)
    try fields.encode(blocks, forKey: .blocks)
  }
}
