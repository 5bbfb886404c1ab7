#if !hasFeature(Embedded)
  extension Decoder {
    /// The keyed container, once it is sure that it holds no key but those of `Key` and `others`: a misspelt key
    /// is never ignored.
    ///
    /// - Throws: `DecodingError` that names the unknown key and lists the known ones, and for what is
    ///   no object.
    public func strictContainer<Key: CodingKey & CaseIterable>(
      keyedBy type: Key.Type, besides others: [String] = []
    ) throws -> KeyedDecodingContainer<Key> {
      let all = try container(keyedBy: AnyKey.self)
      let names = Key.allCases.map(\.stringValue) + others
      if let unknown = all.allKeys.first(where: { !names.contains($0.stringValue) }) {
        let known = names.joined(separator: ", ")
        throw DecodingError.dataCorruptedError(
          forKey: unknown, in: all,
          debugDescription: "\"\(unknown.stringValue)\" is not known; known here: \(known)")
      }
      return try container(keyedBy: type)
    }
  }

  /// Any key at all, so that unknown ones can be seen.
  private struct AnyKey: CodingKey {
    let stringValue: String
    let intValue: Int? = nil
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
#endif
