// Made by Scripts/schema.mjs of Schema/options.json; change that.
// swift-format-ignore-file

extension OptionForm {
  /// What options take, by their names without dashes.
  static let forms = [
    "rect": "X,Y,WIDTH,HEIGHT or WIDTHxHEIGHT+X+Y, such as 100,50,800,600 or 10%,10%,80%,80%",
    "quad": "X1,Y1,X2,Y2,X3,Y3,X4,Y4, such as 120,80,900,140,880,1200,90,1150",
    "inset": "one, two or four lengths, such as 10 or 10,20 or 5%,0,5%,10",
    "aspect": "WIDTH:HEIGHT, such as 16:9 or 1.91:1",
    "tilt": "degrees from -45 to 45, such as 1.5",
    "shape": "rectangle, ellipse or rounded:RADIUS, such as rounded:24",
    "size": "WIDTHxHEIGHT in pixels, such as 1200x630; with --quad also a4, letter, square, sheet or W:H",
    "max-side": "a whole number of pixels, such as 1080",
    "format": "jpeg, png, webp, gif, tiff, heic or avif",
    "quality": "a whole number from 1 to 100, such as 85",
    "max-bytes": "a number of bytes, such as 200000, 200K or 2M",
    "subsampling": "444, 422, 420 or keep",
    "lossless": "never, exact, snap, strict or outward",
    "strip": "all, location or none",
    "hdr": "keep or drop",
    "background": "white, black, gray or #RRGGBB, such as #ff8800",
    "page": "a number from 1, or all",
    "name": "a file name that may hold {name}, {number}, {target} and {ext}, such as {name}-small.{ext}",
    "jobs": "a whole number from 1 to 256",
    "limit-pixels": "a whole number, such as 40000000 or 40M",
    "limit-bytes": "a number of bytes, such as 200000, 200K or 2M",
    "limit-memory": "a number of bytes, such as 200000, 200K or 2M",
    "limit-scans": "a whole number, such as 100",
    "limit-seconds": "a whole number, such as 30",
    "port": "a whole number from 0 to 65535, such as 8080",
    "queue": "a whole number, 0 or more",
    "connections": "a whole number from 4 to 65535",
  ]
}
