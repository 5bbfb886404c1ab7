// Made by Scripts/schema.mjs of Schema/options.json; change that.
// swift-format-ignore-file

import ArgumentParser
import CropImaging

/// How the result is written.
struct OutputOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The result's format: jpeg, png, webp, gif, tiff, heic or avif.", discussion: "Without it, what the output's extension says; without an extension, the input's format.", valueName: "name"), completion: .list(["jpeg", "png", "webp", "gif", "tiff", "heic", "avif"]), transform: Self.checked(.format))
  var format: String?

  @Option(help: ArgumentHelp("Quality of a re-encoded lossy result, 1 to 100 (default: 90).", discussion: "A HEIC or AVIF that stays one has about the quality of its source.", valueName: "q"), transform: Self.checked(.quality))
  var quality: String?

  @Option(help: ArgumentHelp("The best quality whose file has at most so many bytes, such as 200K.", discussion: "From --quality down to 30, in at most eight encodings; a lossless result that is small enough stays. What is too large even so is refused (65), never made smaller in pixels; animations are refused before.", valueName: "n"), transform: Self.checked(.maxBytes))
  var maxBytes: String?

  @Option(help: ArgumentHelp("Chroma subsampling: 444, 422, 420 or keep (default: keep).", valueName: "kind"), completion: .list(["444", "422", "420", "keep"]), transform: Self.checked(.subsampling))
  var subsampling: String?

  @Option(help: ArgumentHelp("Cut a JPEG without loss: never, exact, snap, strict or outward (default: exact).", discussion: "exact does so where the edges at the corner where the stored pixels begin, left and top unless the orientation flag turns them, lie on the grid of blocks (cropkit info shows it). The other two may lie anywhere: blocks that they divide are quantised again, from what is visible of them. snap moves the crop by less than a block to make it so and keeps its size. strict wants all edges on the grid or the picture's border, outward moves them there; then every block is copied. Turns and mirrors are written into the orientation flag. A progressive JPEG that lacks the scans with its detail is re-encoded, smoothed as viewers show it; snap and outward cut it all the same. What is tilted, masked, resized or recoloured is always re-encoded.", valueName: "when"), completion: .list(["never", "exact", "snap", "strict", "outward"]), transform: Self.checked(.lossless))
  var lossless: String?

  @Flag(help: "Lay the pixels of a lossless JPEG down upright, instead of the orientation flag.")
  var bake = false

  @Flag(help: "Write a JPEG or PNG coarse first, fine later.")
  var progressive = false

  @Option(help: ArgumentHelp("Leave metadata out: all, location or none (default: none).", discussion: "What could show the part that was cut away is never kept; what is needed to show the picture right always is.", valueName: "which"), completion: .list(["all", "location", "none"]), transform: Self.checked(.strip))
  var strip: String?

  @Flag(help: "Convert colours to sRGB.")
  var srgb = false

  @Flag(help: "Resample in linear light.")
  var linear = false

  @Option(help: ArgumentHelp("The gain map of an HDR photo: keep or drop (default: keep).", discussion: "It is cut with the picture; a JPEG can hold it, whatever --strip says.", valueName: "how"), completion: .list(["keep", "drop"]), transform: Self.checked(.hdr))
  var hdr: String?

  @Option(help: ArgumentHelp("The colour behind transparency where the format has none (default: white).", discussion: "White, black, gray or #RRGGBB.", valueName: "colour"), completion: .list(["white", "black", "gray"]), transform: Self.checked(.background))
  var background: String?

  @Option(help: ArgumentHelp("The frame or page to crop, from 1, or all.", discussion: "Without it an animation keeps all frames in a format that has them (GIF, WebP, PNG); of all else the first or main one is taken. Pages of TIFF and HEIC are kept by all, in TIFF.", valueName: "n|all"), completion: .list(["all"]), transform: Self.checked(.page))
  var page: String?

  /// What was said of each option.
  var said: [(key: ResultOptions.Key, text: String?)] {
    [
      (.format, format),
      (.quality, quality),
      (.maxBytes, maxBytes),
      (.subsampling, subsampling),
      (.lossless, lossless),
      (.bake, bake ? "true" : nil),
      (.progressive, progressive ? "true" : nil),
      (.strip, strip),
      (.srgb, srgb ? "true" : nil),
      (.linear, linear ? "true" : nil),
      (.hdr, hdr),
      (.background, background),
      (.page, page),
    ]
  }
}
