import Foundation

/// uniformtypeidentifiers/uttype
public struct UTType: Hashable, Sendable {
  /// uniformtypeidentifiers/uttype/identifier
  public let identifier: String

  init(known identifier: String) { self.identifier = identifier }

  /// uniformtypeidentifiers/uttype/image
  public static var image: UTType { UTType(known: "public.image") }
  /// uniformtypeidentifiers/uttype/jpeg
  public static var jpeg: UTType { UTType(known: "public.jpeg") }
  /// uniformtypeidentifiers/uttype/heic
  public static var heic: UTType { UTType(known: "public.heic") }
  /// uniformtypeidentifiers/uttype/png
  public static var png: UTType { UTType(known: "public.png") }
}
