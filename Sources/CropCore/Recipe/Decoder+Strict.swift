#if !hasFeature(Embedded)
  extension Decoder {
    /// The keyed container, after a check that it contains only keys of `Key` and `others`, so that
    /// a misspelt key is reported and not ignored.
    ///
    /// - Throws: `DecodingError` that names the unknown key and lists the known ones, or reports a
    ///   value that is not an object.
    public func strictContainer<Key: CodingKey & CaseIterable>(
      keyedBy type: Key.Type, besides others: [String] = []
    ) throws -> KeyedDecodingContainer<Key> {
      let all = try container(keyedBy: AnyKey.self)
      let own = Key.allCases.map(\.stringValue)
      let names = own + others.filter { !own.contains($0) }
      if let unknown = all.allKeys.first(where: { !names.contains($0.stringValue) }) {
        let known = names.joined(separator: ", ")
        throw DecodingError.dataCorruptedError(
          forKey: unknown, in: all,
          debugDescription: "\"\(unknown.stringValue)\" is not known; expected one of \(known)")
      }
      return try container(keyedBy: type)
    }
  }

  extension KeyedDecodingContainer {
    /// The text of a length: a string, or a number of pixels; nil if it is missing or null.
    ///
    /// - Throws: `DecodingError` for another type, and for pixels that are not whole.
    package func lengthTextIfPresent(forKey key: Key) throws -> String? {
      guard contains(key), try !decodeNil(forKey: key) else { return nil }
      if let text = try? decode(String.self, forKey: key) { return text }
      return String(try whole(forKey: key))
    }
  }

  /// A key with any name, to detect unknown ones.
  private struct AnyKey: CodingKey {
    let stringValue: String
    let intValue: Int? = nil
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
#endif
