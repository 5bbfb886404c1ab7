/// Someone for whom images are decoded: a user, a device, a token, a job.
///
/// A process that decodes images works for one principal only and ends before another one is
/// served, so a fault in a decoder can't show one principal the images of another.
///
///     try CropPrincipal.$current.withValue(CropPrincipal(account.id)) {
///       try engine.crop(source, recipe: recipe)
///     }
public struct CropPrincipal: Sendable, Hashable {
  /// The principal of the crops of this task and its child tasks; nil: each image is decoded in a
  /// separate process.
  @TaskLocal public static var current: CropPrincipal?

  private let name: String

  /// A principal; equal names are the same one. The name never leaves this process.
  public init(_ name: String) { self.name = name }
}
