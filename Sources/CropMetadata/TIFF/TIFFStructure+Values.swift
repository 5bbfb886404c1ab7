import CropCore

extension TIFFStructure {
  /// The first value of an integer field; nil for other types and if there is none.
  package func number<Source: ByteSource>(
    _ field: Field?, _ source: inout Source
  ) throws(Source.Failure) -> Int? {
    try number(field, at: 0, &source)
  }

  /// Value `index` of an integer field; nil for other types and past the end.
  package func number<Source: ByteSource>(
    _ field: Field?, at index: Int, _ source: inout Source
  ) throws(Source.Failure) -> Int? {
    guard let field, index >= 0, index < field.count, let values = field.values,
      [1, 3, 4, 13, 16, 18].contains(field.type)
    else { return nil }
    let size = field.valueSize
    return try source.number(values + index * size, size: size, order: order)
  }

  /// The first value of a field of fractions; nil for other types and if there is none.
  package func fraction<Source: ByteSource>(
    _ field: Field?, _ source: inout Source
  ) throws(Source.Failure) -> Double? {
    guard let field, field.type == 5, field.count > 0, let values = field.values,
      let numerator = try source.number(values, size: 4, order: order),
      let denominator = try source.number(values + 4, size: 4, order: order)
    else { return nil }
    return Double(numerator) / Double(denominator)
  }

  /// The maximum number of values that ``numbers(_:in:_:)`` reads at a time.
  package static var mostNumbers: Int { 512 }

  /// The values in `range` of an integer field; fewer if it has fewer.
  package func numbers<Source: ByteSource>(
    _ field: Field?, in range: Range<Int>, _ source: inout Source
  ) throws(Source.Failure) -> [Int] {
    var numbers: [Int] = []
    for i in range.prefix(Self.mostNumbers) {
      guard let number = try number(field, at: i, &source) else { break }
      numbers.append(number)
    }
    return numbers
  }

  /// The value of the orientation field: the first of its integers, if it is 1 to 8.
  ///
  /// The standard requires a short (3). Some writers use other types (BYTE, LONG and their signed
  /// variants), and viewers use the first number of any type.
  package func orientation<Source: ByteSource>(
    _ field: Field?, _ source: inout Source
  ) throws(Source.Failure) -> Orientation? {
    guard let field, field.count > 0, let place = field.values else { return nil }
    switch field.type {
    case 1, 3, 4, 6, 8, 9: break
    default: return nil
    }
    return try source.number(place, size: field.valueSize, order: order)
      .flatMap { Orientation(rawValue: $0) }
  }
}
