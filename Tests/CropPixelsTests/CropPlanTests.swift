import CropCore
import CropImaging
import Foundation
import TestMaterial
import Testing

@testable import CropPixels

/// Plans of the same seven requests for all shared images: `plans.tsv` lists them.
@Suite struct CropPlanTests {
  private let engine = CropEngine.inProcess()

  /// A request: its name, and the recipe and options for an image.
  fileprivate struct Request: Sendable {
    let name: String
    let recipe: @Sendable (ImageSize) -> CropRecipe
    var options = ResultOptions()
  }

  private static func part(_ size: ImageSize, at share: Int) -> FrameRect {
    // On the grid of every JPEG.
    let (x, y) = (size.width / share / 16 * 16, size.height / share / 16 * 16)
    return FrameRect(
      x: Double(x), y: Double(y), width: Double(max(1, size.width / 2)),
      height: Double(max(1, size.height / 2)))
  }

  private static let requests = [
    Request(name: "whole") { _ in CropRecipe() },
    Request(name: "turned") { _ in CropRecipe(quarterTurns: 1) },
    Request(name: "part") { CropRecipe(rect: part($0, at: 4)) },
    Request(name: "part, quality 80") { CropRecipe(rect: part($0, at: 4)) }
      .with(ResultOptions(quality: .level(80), lossless: .never)),
    Request(name: "small") { CropRecipe(rect: part($0, at: 3), output: .maxSide(16)) },
    Request(name: "ellipse as PNG") { CropRecipe(rect: part($0, at: 3), shape: .ellipse) }
      .with(ResultOptions(format: .png)),
    Request(name: "without metadata") { _ in CropRecipe() }
      .with(ResultOptions(metadata: .stripAll)),
  ]

  /// The plans of an image, each as a line: the request, the routes, the process, and what is known
  /// before.
  private func lines(_ row: SharedPictures.Row) -> [String] {
    Self.requests.map { request in
      let words: [String]
      do throws(CropError) {
        let plan = try plan(request, row)
        words = [
          plan.routes.map(\.rawValue).joined(separator: ", "), plan.process.rawValue,
          plan.isLossless.map { $0 ? "lossless" : "re-encoded" } ?? "depends",
          plan.obstacle?.rawValue ?? "", plan.gainMapObstacle ?? "",
          "\(plan.format.rawValue) \(plan.size.width) × \(plan.size.height)",
        ]
      } catch {
        words = [error.code]
      }
      return ([row.file, request.name] + words).joined(separator: "\t")
    }
  }

  private func plan(
    _ request: Request, _ row: SharedPictures.Row
  ) throws(CropError) -> CropPlan {
    let picture = try engine.open(ImageSource(path: row.path), options: request.options)
    return try PlannedCrop(
      request.recipe(picture.info.shown), of: picture, options: request.options
    ).plan(limits: engine.limits)
  }

  @Test func `the plans are those of the table`() throws {
    let table = Repository.folder.appendingPathComponent("Tests/plans.tsv")
    let found = SharedPictures.rows.flatMap(lines)
    if ProcessInfo.processInfo.environment["CROPKIT_WRITE_PLANS"] != nil {
      try Data(found.joined(separator: "\n").appending("\n").utf8).write(to: table)
    }
    let known = try String(contentsOf: table, encoding: .utf8).split(separator: "\n").map(
      String.init)
    // Without the pictures, there is nothing to compare.
    for (made, expected) in zip(found, known) { #expect(made == expected) }
    #expect(found.isEmpty || found.count == known.count)
  }

  @Test(arguments: Thorough.all(SharedPictures.rows.filter { $0.expected == "valid" }, or: 20))
  func `a crop is made as planned`(row: SharedPictures.Row) throws {
    let source = try ImageSource(path: row.path)
    let size = try engine.info(source).shown
    // Large images take long and take no other routes.
    guard size.width * size.height <= 1_000_000 || Thorough.isOn else { return }
    for request in Self.requests {
      let plan: CropPlan
      do throws(CropError) {
        plan = try self.plan(request, row)
      } catch {
        let refused = failure { () throws(CropError) in
          _ = try engine.crop(source, recipe: request.recipe(size), options: request.options)
        }
        #expect(refused?.code == error.code, "\(request.name)")
        continue
      }
      let result = try engine.crop(source, recipe: request.recipe(size), options: request.options)
      #expect(result.format == plan.format && result.size == plan.size, "\(request.name)")
      #expect(plan.isLossless ?? result.isLossless == result.isLossless, "\(request.name)")
      #expect(result.obstacle == plan.obstacle || plan.isLossless == nil, "\(request.name)")
      let isDropped = result.warnings.contains { $0.code == "hdr-dropped" }
      #expect(isDropped == (plan.gainMapObstacle != nil), "\(request.name)")
      let codes = result.warnings.map(\.code)
      #expect(plan.warnings.allSatisfy { codes.contains($0.code) }, "\(request.name): \(codes)")
    }
  }
}

extension CropPlanTests.Request {
  fileprivate func with(_ options: ResultOptions) -> Self {
    var copy = self
    copy.options = options
    return copy
  }
}
