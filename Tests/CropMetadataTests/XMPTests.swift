import Testing

@testable import CropCore
@testable import CropMetadata

/// The namespaces of the packets below, declared with their usual prefixes.
private let usual = """
  xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/" \
  xmlns:crss="http://ns.adobe.com/camera-raw-saved-settings/1.0/" \
  xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:exif="http://ns.adobe.com/exif/1.0/" \
  xmlns:tiff="http://ns.adobe.com/tiff/1.0/" \
  xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/" \
  xmlns:mwg-rs="http://www.metadataworkinggroup.com/schemas/regions/" \
  xmlns:acdsee-rs="http://ns.acdsee.com/regions/" \
  xmlns:photomechanic="http://ns.camerabits.com/photomechanic/1.0/" \
  xmlns:MP="http://ns.microsoft.com/photo/1.2/"
  """

private func packet(attributes: String = "", _ elements: String = "") -> String {
  """
  <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
   xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
   \(usual) \(attributes)>\(elements)</rdf:Description></rdf:RDF></x:xmpmeta>
  """
}

/// The properties that remain after an edit of `text`, and its report about the others.
private func edited(
  _ text: String, orientation: Orientation = .up, policy: MetadataPolicy = .keep
) throws -> (text: String, lost: MetadataLoss) {
  let edit = MetadataEdit(
    width: 640, height: 480, policy: policy, orientation: orientation)
  let packet = try #require(XMPPacket(Array(text.utf8), edit: edit))
  return (String(decoding: packet.bytes, as: UTF8.self), packet.lost)
}

@Suite struct `XMP after a crop` {
  @Test func `a panorama's position on its sphere is removed and reported`() throws {
    let text = packet(
      attributes: #"xmlns:GPano="http://ns.google.com/photos/1.0/panorama/""#
        + #" GPano:CroppedAreaLeftPixels="0" dc:format="a""#,
      "<GPano:ProjectionType>equirectangular</GPano:ProjectionType>")
    let result = try edited(text)
    #expect(result.lost == .panorama)
    #expect(!result.text.contains("CroppedArea") && !result.text.contains("equirectangular"))
    #expect(result.text.contains("dc:format"))
  }

  @Test(arguments: [
    "HasCrop", "CropTop", "CropLeft", "CropBottom", "CropRight", "CropAngle", "CropWidth",
    "CropHeight", "CropUnit", "CropUnits", "CropConstrainToWarp", "CropConstrainToUnitSquare",
    "LensProfileEnable", "LensManualDistortionAmount", "PerspectiveVertical", "PerspectiveUpright",
    "UprightTransform_0", "VignetteAmount", "AutoLateralCA", "LensBlur",
  ])
  func `a photo program's crop is removed in each form`(key: String) throws {
    for text in [
      packet(attributes: "crs:\(key)='0.25' crs:Exposure2012='+1.00'"),
      packet("<crs:\(key)>0.25</crs:\(key)><crs:Exposure2012>+1.00</crs:Exposure2012>"),
      packet(
        """
        <crss:SavedSettings><rdf:Bag><rdf:li rdf:parseType="Resource"><crss:Parameters>
        <rdf:Description crs:\(key)="1" crs:Exposure2012="+1.00"><crs:\(key)>1</crs:\(key)>
        </rdf:Description></crss:Parameters></rdf:li></rdf:Bag></crss:SavedSettings>
        """),
    ] {
      let (left, lost) = try edited(text)
      #expect(!left.contains(key))
      #expect(left.contains("Exposure2012"))
      #expect(lost.isEmpty)
    }
  }

  @Test(arguments: [
    "RetouchInfo", "RetouchAreas", "RedEyeInfo", "PaintBasedCorrections",
    "GradientBasedCorrections", "CircularGradientBasedCorrections", "MaskGroupBasedCorrections",
    "DepthMapInfo",
  ])
  func `lists of spots and masks are removed and reported`(key: String) throws {
    let (left, lost) = try edited(
      packet(
        """
        <crs:Sharpness>25</crs:Sharpness><crs:\(key)><rdf:Seq><rdf:li><rdf:Description crs:What="a"
        crs:CenterX="0.5"><crs:CorrectionMasks><rdf:Seq><rdf:li crs:MaskID="b"/></rdf:Seq>
        </crs:CorrectionMasks></rdf:Description></rdf:li></rdf:Seq></crs:\(key)><dc:title>Hill</dc:title>
        """))
    for gone in [key, "CenterX", "MaskID"] { #expect(!left.contains(gone)) }
    for kept in ["crs:Sharpness", "Hill"] { #expect(left.contains(kept)) }
    #expect(lost == .edits)
  }

  @Test func `an active crop is reported, an inactive one is not`() throws {
    #expect(try edited(packet(attributes: "crs:HasCrop=\"True\"")).lost == .edits)
    #expect(try edited(packet("<crs:HasCrop> True</crs:HasCrop>")).lost == .edits)
    #expect(try edited(packet(attributes: "crs:HasCrop='False' crs:CropTop='0'")).lost.isEmpty)
    #expect(try edited(packet("<crs:HasCrop>False</crs:HasCrop>")).lost.isEmpty)
  }

  @Test func `settings that hold for any frame stay`() throws {
    let settings = [
      "Version", "ProcessVersion", "WhiteBalance", "Temperature", "Exposure2012", "Contrast2012",
      "PostCropVignetteAmount", "SharpenRadius", "RedHue", "Defringe", "HasSettings",
      "AlreadyApplied", "ToneCurvePV2012", "Look",
    ]
    let (left, lost) = try edited(
      packet(attributes: settings.map { "crs:\($0)=\"1\"" }.joined(separator: " ")))
    for key in settings { #expect(left.contains(" crs:\(key)=\"1\"")) }
    #expect(lost.isEmpty)
  }

  @Test(arguments: [
    "<mwg-rs:Regions rdf:parseType='Resource'><mwg-rs:RegionList/></mwg-rs:Regions>",
    "<MP:RegionInfo rdf:parseType='Resource'/>", "<acdsee-rs:Regions/>",
    "<Iptc4xmpExt:ImageRegion><rdf:Bag><rdf:li/></rdf:Bag></Iptc4xmpExt:ImageRegion>",
    "<exif:SubjectArea><rdf:Seq><rdf:li>9</rdf:li></rdf:Seq></exif:SubjectArea>",
    "<exif:SubjectLocation>9</exif:SubjectLocation>",
  ])
  func `positions in the old picture are removed and reported`(element: String) throws {
    let (left, lost) = try edited(
      packet(
        attributes: "exif:SubjectDistance='3/1'",
        "\(element)<Iptc4xmpExt:PersonInImage>Eve</Iptc4xmpExt:PersonInImage>"))
    for gone in ["Region>", "RegionInfo", "Regions", "SubjectArea", "SubjectLocation"] {
      #expect(!left.contains(gone))
    }
    #expect(left.contains("SubjectDistance") && left.contains("Eve"))
    #expect(lost == .regions)
  }

  @Test func `keywords of the working group that names regions stay`() throws {
    let keywords = """
      <k:Keywords xmlns:k="http://www.metadataworkinggroup.com/schemas/keywords/">Hill</k:Keywords>
      """
    let (left, lost) = try edited(packet(keywords))
    #expect(left.contains("Hill") && lost.isEmpty)
  }

  @Test(arguments: ["GpsLatitude", "GPSLongitude", "GpsTrack", "HomeLATITUDE", "longitude"])
  func `a position is removed on request, whatever the namespace`(key: String) throws {
    let flight = "xmlns:gps='http://www.dji.com/drone-dji/1.0/' gps:Pitch='7'"
    for text in [
      packet(attributes: "\(flight) gps:\(key)='+48.1'"),
      packet(attributes: flight, "<gps:\(key)>+48.1</gps:\(key)>"),
      packet(
        attributes: flight,
        """
        <gps:Points><rdf:Seq><rdf:li rdf:parseType="Resource"><gps:\(key)><rdf:Seq>
        <rdf:li>+48.1</rdf:li></rdf:Seq></gps:\(key)></rdf:li><rdf:li gps:\(key)="+48.1"/>
        </rdf:Seq></gps:Points>
        """),
      packet(attributes: flight, "<\(key) xmlns='http://example.com/'>+48.1</\(key)>"),
      packet(attributes: flight, "<exif:\(key)>+48.1</exif:\(key)>"),
    ] {
      let kept = try edited(text)
      #expect(kept.text.contains("+48.1"))
      let (left, lost) = try edited(text, policy: .stripLocation)
      #expect(!left.contains("48.1") && !left.contains(key))
      #expect(left.contains(flight), "the namespace and other properties stay")
      #expect(lost.isEmpty)
      #expect(XMPPacket.hasPosition(Array(text.utf8)) == (key != "GpsTrack"))
      #expect(!XMPPacket.hasPosition(Array(left.utf8)))
    }
  }

  @Test func `another program's crop is gone`() throws {
    let left = try edited(packet(attributes: "photomechanic:CropLeft='1' photomechanic:Tagged='1'"))
    #expect(!left.text.contains("CropLeft") && left.text.contains("Tagged"))
  }

  @Test func `a prefix of any name is known by its namespace`() throws {
    let text = """
      <m:xmpmeta xmlns:m="adobe:ns:meta/"><R:RDF
       xmlns:R="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><R:Description
       q:CropTop="0.1" dc:Orientation="6" R:about="" xmlns:dc="http://ns.adobe.com/tiff/1.0/"
       xmlns:q='http://ns.adobe.com/camera-raw-settings/1.0/'><q:RetouchInfo><R:Seq><R:li>spot</R:li>
      </R:Seq></q:RetouchInfo></R:Description><R:Description xmlns:q = "http://example.com/other/"
       q:CropTop="mine"><i:ImageRegion xmlns:i="http://iptc.org/std/Iptc4xmpExt/2008-02-29/">x
      </i:ImageRegion><CropLeft xmlns="http://ns.adobe.com/camera-raw-settings/1.0/">0.2</CropLeft>
      <q:HasCrop>mine</q:HasCrop><PixelXDimension xmlns="http://ns.adobe.com/exif/1.0/">4000</PixelXDimension>
      </R:Description></R:RDF></m:xmpmeta>
      """
    let (left, lost) = try edited(text, orientation: .right)
    for gone in ["0.1", "spot", "ImageRegion", "0.2", "4000"] { #expect(!left.contains(gone)) }
    #expect(left.contains("dc:Orientation=\"6\""))
    #expect(left.contains(" q:CropTop=\"mine\"") && left.contains("<q:HasCrop>mine<"))
    #expect(left.contains(">640</PixelXDimension>"))
    #expect(lost == [.edits, .regions])
  }

  @Test func `a part in other segments is reported`() throws {
    let note = "xmlns:xmpNote='http://ns.adobe.com/xmp/note/' xmpNote:HasExtendedXMP='0F'"
    #expect(try edited(packet(attributes: note)).lost == .extendedXMP)
  }

  @Test(arguments: [
    "<x:xmpmeta>", "<a:b xmlns:a='x' xmlns:a='http&#58;//y'></a:b>",
    "<rdf:RDF><a b=></a></rdf:RDF>", "<rdf:RDF><a b='<'/></rdf:RDF>", "<rdf:RDF></rdf:RDF><a/>",
    "<rdf:RDF><a></b></rdf:RDF>", "<rdf:RDF><![CDATA[x]]></rdf:RDF>", "<rdf:RDF xmlns:a='&#99;'/>",
  ])
  func `unknown packets are dropped completely`(text: String) {
    let edit = MetadataEdit(width: 640, height: 480, policy: .keep)
    #expect(XMPPacket(Array(text.utf8), edit: edit) == nil)
  }

  @Test func `as many declarations as tags take linear time`() {
    let names = (0..<20_000).map { "xmlns:a\($0)='b'" }.joined(separator: " ")
    let text = "<rdf:RDF \(names)>\(String(repeating: "<z:z/>", count: 20_000))</rdf:RDF>"
    let edit = MetadataEdit(width: 640, height: 480, policy: .keep)
    #expect(XMPPacket(Array(text.utf8), edit: edit) == nil)
  }
}
