/// The other side of a ``WorkerPool``: what the program `cropkit-worker` runs.
public enum WorkerLoop {
  /// Serves pictures with `backend` until the pool goes away; never returns.
  ///
  /// The process gives up every right it does not need before the first picture.
  public static func run(_ backend: any PixelBackend) -> Never {
    fatalError("started without a pool")
  }
}
