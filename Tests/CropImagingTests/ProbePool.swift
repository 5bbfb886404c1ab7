import Foundation
import Glibc
import TestMaterial

@testable import CropCore
@testable import CropImaging
@testable import CropSystem

/// Tests of pools whose processes are `WorkerProbe`, which does what the name of an image says.
protocol UsesWorkerProbe {}

extension UsesWorkerProbe {
  static var probe: String {
    let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    return program.deletingLastPathComponent().appendingPathComponent("WorkerProbe").path
  }

  /// The time limit allows for a busy machine.
  static var patient: Limits { Limits(seconds: 600) }

  func pool(
    size: Int = 1, recycleAfter: Int = 64, limits: Limits = Self.patient, servesOne: Bool = true
  ) -> WorkerPool {
    WorkerPool(
      executable: Self.probe, size: size, recycleAfter: recycleAfter, limits: limits,
      servesOne: servesOne)
  }

  /// The probe's response to an image with this name.
  func ask(
    _ pool: WorkerPool, _ name: String, bytes: Data = Data("picture".utf8),
    recipe: CropRecipe = CropRecipe(), limits: Limits = Self.patient
  ) throws(CropError) -> CropResult {
    try ask(pool, ImageSource(bytes: bytes, name: name), recipe: recipe, limits: limits)
  }

  func ask(
    _ pool: WorkerPool, _ source: ImageSource, recipe: CropRecipe = CropRecipe(),
    options: ResultOptions = ResultOptions(), limits: Limits = Self.patient
  ) throws(CropError) -> CropResult {
    let info = ImageInfo(
      format: .png, byteCount: source.byteCount, stored: BitmapSize(width: 640, height: 480),
      orientation: .right)
    let crop: ResolvedCrop
    do throws(RecipeError) {
      crop = try recipe.resolved(for: info.shown)
    } catch {
      throw .usage(detail: "\(error)")
    }
    return try pool.crop(
      PixelRequest(source, info: info, crop: crop, options: options, limits: limits))
  }

  func text(_ result: CropResult) -> String {
    String(decoding: result.bytes, as: UTF8.self)
  }

  func refusal(_ pool: WorkerPool, _ name: String, limits: Limits = Self.patient)
    -> CropError?
  {
    failure { () throws(CropError) in _ = try ask(pool, name, limits: limits) }
  }

  /// Whether the process exits.
  func isGone(_ process: pid_t) -> Bool {
    eventually {
      if kill(process, 0) != 0 { return true }
      // A process that was not waited for yet is a zombie.
      let state = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
      return state?.contains(") Z ") == true
    }
  }

  /// Whether the process starts to work on an image with this name.
  func isAt(_ name: String, _ process: pid_t) -> Bool {
    eventually {
      (try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)) == "\(name)\n"
    }
  }
}
