import CropImaging
import CropPixels

/// The program `cropkit-worker`: decodes untrusted bytes for a `WorkerPool`, under its limits.
@main
struct CropKitWorker {
  static func main() {
    WorkerLoop.run(JPEGBackend(fallback: VipsBackend()))
  }
}
