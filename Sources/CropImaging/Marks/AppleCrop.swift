import CropCore
import CropFormats
import FoundationEssentials

/// The crop in a sidecar of Apple Photos (`IMG_1234.AAE`): a property list whose `adjustmentData` is Base64 of a raw
/// Deflate stream of JSON.
struct AppleCrop {
  /// The part to keep, in pixels of the original, from its top left.
  private var settings: Settings
  /// The size of the original.
  private var master: Master?

  /// The stored crop.
  private struct Settings: Decodable {
    let xOrigin: Double
    let yOrigin: Double
    let width: Double
    let height: Double
    let straightenAngle: Double?
    let angle: Double?
    let pitch: Double?
    let yaw: Double?
  }

  private struct Master: Decodable {
    let masterWidth: Double?
    let masterHeight: Double?
    let orientation: Int?
  }

  private struct Adjustment: Decodable {
    let identifier: String
    let enabled: Bool?
    let settings: Settings?

    private enum Key: CodingKey { case identifier, enabled, settings }

    init(from decoder: any Decoder) throws {
      let fields = try decoder.container(keyedBy: Key.self)
      identifier = try fields.decode(String.self, forKey: .identifier)
      enabled = try fields.decodeIfPresent(Bool.self, forKey: .enabled)
      // Other adjustments have other settings.
      settings = identifier == "Crop" ? try fields.decode(Settings.self, forKey: .settings) : nil
    }
  }

  private struct Edits: Decodable {
    let adjustments: [Adjustment]
    let metadata: Master?
  }

  /// The crop; nil if Photos only adjusted other things.
  ///
  /// - Throws: `CropError.corrupt`, or `.invalidRecipe` for adjustments that can't be reproduced.
  init?(aae: [UInt8], name: String) throws(CropError) {
    guard let list = PropertyList(aae) else {
      throw .corrupt(file: name, detail: "its property list is not understood")
    }
    if let format = list["adjustmentFormatIdentifier"], format != "com.apple.photo" {
      let editor = String(format.unicodeScalars.prefix(80))
      throw .invalidRecipe(
        file: name, detail: "the photo was edited with \(editor), which CropKit can't read")
    }
    guard let text = list["adjustmentData"], let packed = Data(base64Encoded: text) else {
      throw .corrupt(file: name, detail: "adjustmentData is missing or not Base64")
    }
    if packed.starts(with: "bplist".utf8) {
      throw .invalidRecipe(
        file: name, detail: "it is from an older version of Photos, which CropKit can't read")
    }
    guard let json = Zlib.inflated(Array(packed), most: CropMark.maxBytes) else {
      throw .corrupt(file: name, detail: "adjustmentData can't be unpacked")
    }
    let edits: Edits
    do {
      edits = try StrictJSON.decode(Edits.self, from: Data(json))
    } catch {
      throw .corrupt(file: name, detail: "the crop in adjustmentData is not understood")
    }
    let inForce = edits.adjustments.filter { $0.enabled != false }
    if inForce.contains(where: { $0.identifier == "Orientation" }) {
      throw Self.unsupportedEdit("the rotation of Apple Photos", name)
    }
    let crops = inForce.compactMap(\.settings)
    guard let settings = crops.first else { return nil }
    guard crops.count == 1 else { throw .corrupt(file: name, detail: "it has several crops") }
    self.settings = settings
    master = edits.metadata
    for (value, what) in [
      (settings.pitch, "pitch"), (settings.yaw, "yaw"),
      (settings.straightenAngle, "straightenAngle"), (settings.angle, "angle"),
    ] where value ?? 0 != 0 {
      throw Self.unsupportedEdit("\(what) of Apple Photos", name)
    }
  }

  private static func unsupportedEdit(_ what: String, _ name: String) -> CropError {
    .invalidRecipe(
      file: name,
      detail: "\(what) can't be reproduced; export the photo from the program that cropped it")
  }

  /// The rectangle on the stored pixels.
  ///
  /// - Throws: `CropError.invalidRecipe` if the sidecar belongs to an image of another size.
  func area(of info: ImageInfo, name: String) throws(CropError) -> BitmapCrop {
    let corner = CropPoint<ImageSpace>(
      x: settings.xOrigin + settings.width / 2, y: settings.yOrigin + settings.height / 2)
    let size = (master?.masterWidth, master?.masterHeight)
    let stored = info.bitmap
    func isSize(_ width: Int, _ height: Int) -> Bool {
      (size.0 ?? Double(width)) == Double(width) && (size.1 ?? Double(height)) == Double(height)
    }
    // A master with an orientation refers to the stored pixels; others refer to the displayed
    // image.
    let liesAsStored = master?.orientation == info.orientation.rawValue && info.orientation != .up
    if liesAsStored, isSize(stored.width, stored.height) {
      return BitmapCrop(
        center: BitmapPoint(x: corner.x, y: corner.y), width: settings.width,
        height: settings.height)
    }
    guard isSize(info.shown.width, info.shown.height), master?.orientation ?? 1 == 1 else {
      throw .invalidRecipe(
        file: name,
        detail: "it belongs to a photo of another size; this one is \(info.shown.width) × "
          + "\(info.shown.height) pixels")
    }
    let toBitmap = OrientationMap<ImageSpace, BitmapSpace>(
      info.orientation.inverse, of: info.shown)
    let isTransposing = info.orientation.isTransposing
    return BitmapCrop(
      center: toBitmap(corner), width: isTransposing ? settings.height : settings.width,
      height: isTransposing ? settings.width : settings.height)
  }
}

extension AppleCrop {
  /// Whether the text is an XML property list.
  static func isPropertyList(_ bytes: [UInt8]) -> Bool { PropertyList.start(in: bytes) != nil }
}

/// The strings directly in the outermost dictionary of an XML property list, by key.
///
/// Text before `<plist` is ignored; a list that declares entities is an error.
private struct PropertyList {
  private var values: [String: String] = [:]

  /// The start of the list; nil if there is none near the start of the file.
  static func start(in bytes: [UInt8]) -> Int? {
    bytes.indices.prefix(4096).first { bytes.has("<plist", at: $0) }
  }

  init?(_ bytes: [UInt8]) {
    guard let start = Self.start(in: bytes), !bytes[..<start].contains(UInt8(ascii: "[")) else {
      return nil
    }
    var scanner = XMPScanner(Array(bytes[start...]))
    var key: String?
    var text: [UInt8] = []
    while let token = scanner.next() {
      switch token {
      case .startTag, .emptyTag: if scanner.depth <= 3 { text = [] }
      case .text:
        if scanner.depth == 3 {
          text += scanner.source[scanner.start..<scanner.at]
        } else if scanner.depth == 0 {
          // Only white space follows the list.
          break
        }
      case .endTag where scanner.depth == 2:
        let value = String(decoding: text.filter { $0 > 0x20 }, as: UTF8.self)
        if scanner.source.has("key", at: scanner.name) {
          key = value
        } else if let name = key {
          guard values.updateValue(value, forKey: name) == nil else { return nil }
          key = nil
        }
      case .endTag, .comment, .instruction: break
      }
    }
    guard scanner.isAtEnd else { return nil }
  }

  subscript(key: String) -> String? { values[key] }
}
