// Made by Scripts/interface.mjs of Web/exporters.json; change that.
// swift-format-ignore-file

#if !hasFeature(Embedded)
  extension CropExporter {
    /// All of them, in the order in which they are listed.
    public static let all: [CropExporter] = [
      CropExporter(
        name: "sharp", version: "sharp 0.34",
        joint: "",
        steps: [
          ("", "sharp(input).autoOrient()"),
          ("cut", ".extract({ left: {left}, top: {top}, width: {width}, height: {height} })"),
          ("resize", ".resize({ width: {unturnedWidth}, height: {unturnedHeight}, fit: 'fill' })"),
          ("mirror", ".flop()"),
          ("turn", ".rotate({degrees})"),
        ],
        lacks: [
          ("quad", "straighten four corners"),
          ("tilt", "tilt"),
          ("ellipse", "mask to an ellipse"),
          ("rounded", "round corners"),
        ]),
      CropExporter(
        name: "imgproxy", version: "imgproxy 3.30",
        joint: "/",
        steps: [
          ("", "auto_rotate:1"),
          ("turn", "rotate:{degrees}"),
          ("cut", "crop:{frameWidth}:{frameHeight}:nowe:{frameLeft}:{frameTop}"),
          ("resize", "resize:force:{outputWidth}:{outputHeight}:1"),
        ],
        lacks: [
          ("quad", "straighten four corners"),
          ("tilt", "tilt"),
          ("ellipse", "mask to an ellipse"),
          ("rounded", "round corners"),
          ("mirror", "mirror"),
          ("storedMirrored transpose", "turn a picture whose EXIF orientation mirrors it"),
        ]),
      CropExporter(
        name: "thumbor", version: "thumbor 7, with RESPECT_ORIENTATION = True",
        joint: "/",
        steps: [
          ("cut", "{left}x{top}:{right}x{bottom}"),
          ("resize !mirror", "{unturnedWidth}x{unturnedHeight}"),
          ("resize mirror", "-{unturnedWidth}x{unturnedHeight}"),
          ("!resize mirror", "-0x0"),
          ("resize !turn", "filters:stretch()"),
          ("resize turn", "filters:stretch():rotate({degreesBack})"),
          ("!resize turn", "filters:rotate({degreesBack})"),
        ],
        lacks: [
          ("quad", "straighten four corners"),
          ("tilt", "tilt"),
          ("ellipse", "mask to an ellipse"),
          ("rounded", "round corners exactly"),
        ]),
      CropExporter(
        name: "vips", version: "libvips 8.14",
        joint: " && ",
        steps: [
          ("", "vips autorot {in} {out}"),
          ("cut", "vips crop {in} {out} {left} {top} {width} {height}"),
          ("mirror", "vips flip {in} {out} horizontal"),
          ("turn", "vips rot {in} {out} d{degrees}"),
          ("resize", "vips thumbnail_image {in} {out} {outputWidth} --height {outputHeight} --size force"),
        ],
        lacks: [
          ("quad", "straighten four corners"),
          ("tilt", "tilt exactly"),
          ("ellipse", "mask to an ellipse"),
          ("rounded", "round corners"),
        ]),
      CropExporter(
        name: "imagemagick", version: "ImageMagick 7; 6 has it as convert",
        joint: " ",
        steps: [
          ("", "magick INPUT -auto-orient +repage"),
          ("cut", "-crop {width}x{height}+{left}+{top} +repage"),
          ("mirror", "-flop"),
          ("turn", "-rotate {degrees}"),
          ("resize", "-resize '{outputWidth}x{outputHeight}!'"),
          ("", "OUTPUT"),
        ],
        lacks: [
          ("quad", "straighten four corners"),
          ("tilt", "tilt exactly"),
          ("ellipse", "mask to an ellipse"),
          ("rounded", "round corners"),
        ]),
      CropExporter(
        name: "css", version: "CSS Transforms Level 1; image-orientation is from-image unless set",
        joint: " ",
        steps: [
          ("", ".crop { position: relative; overflow: hidden; width: {outputWidth}px; height: {outputHeight}px;"),
          ("ellipse", "border-radius: 50%;"),
          ("rounded", "border-radius: {cornerWidth}px / {cornerHeight}px;"),
          ("", "} .crop > img { position: absolute; left: 0; top: 0; max-width: none;"),
          ("", "width: {pictureWidth}px; height: {pictureHeight}px; transform-origin: 0 0;"),
          ("", "transform: matrix({a}, {b}, {c}, {d}, {e}, {f}); }"),
        ],
        lacks: [
          ("quad", "straighten four corners"),
        ]),
      CropExporter(
        name: "sanity", version: "Sanity Studio 3 with @sanity/image-url 1",
        joint: "",
        steps: [
          ("", "{\"_type\": \"image\", \"crop\": {\"_type\": \"sanity.imageCrop\", "),
          ("", "\"top\": {shareTop}, \"bottom\": {shareBottom}, \"left\": {shareLeft}, \"right\": {shareRight}}, "),
          ("", "\"hotspot\": {\"_type\": \"sanity.imageHotspot\", \"x\": {focusX}, \"y\": {focusY}, "),
          ("", "\"height\": {focusHeight}, \"width\": {focusWidth}}}"),
        ],
        lacks: [
          ("quad", "straighten four corners"),
          ("tilt", "tilt"),
          ("ellipse", "mask to an ellipse"),
          ("rounded", "round corners"),
          ("mirror", "mirror"),
          ("turn", "turn"),
        ]),
      CropExporter(
        name: "typo3", version: "TYPO3 13, a variant of sys_file_reference.crop",
        joint: "",
        steps: [
          ("", "{\"cropArea\": {\"x\": {shareLeft}, \"y\": {shareTop}, "),
          ("", "\"width\": {shareWidth}, \"height\": {shareHeight}}, \"selectedRatio\": \"{ratio}\", \"focusArea\": "),
          ("focus", "{\"x\": {keptLeft}, \"y\": {keptTop}, \"width\": {keptWidth}, \"height\": {keptHeight}}}"),
          ("!focus", "null}"),
        ],
        lacks: [
          ("quad", "straighten four corners"),
          ("tilt", "tilt"),
          ("ellipse", "mask to an ellipse"),
          ("rounded", "round corners"),
          ("mirror", "mirror"),
          ("turn", "turn"),
        ]),
    ]
  }
#endif
