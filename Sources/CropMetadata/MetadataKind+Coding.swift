#if !hasFeature(Embedded)
  extension MetadataKind: Codable {}
#endif
