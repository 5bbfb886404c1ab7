// Made by Scripts/presets.mjs of Schema/presets.json; change that.
// swift-format-ignore-file

#if !hasFeature(Embedded)
  extension AspectRatio {
    /// The ratios that faces offer, as people say them; the square and those that lie.
    public static let presets = ["1:1", "3:2", "4:3", "5:4", "16:9", "7:5", "5:3", "16:10", "21:9"]
    /// Those of them that stand upright and are offered too.
    public static let standingPresets = ["2:3", "3:4", "4:5", "9:16"]
  }

  extension TargetSet {
    /// All of them.
    public static let all: [TargetSet] = [
      TargetSet("social", [
        AspectRatio(1, 1).map { PhotoTarget(name: "square", frame: .ratio($0)) },
        AspectRatio(4, 5).map { PhotoTarget(name: "portrait", frame: .ratio($0)) },
        AspectRatio(9, 16).map { PhotoTarget(name: "story", frame: .ratio($0)) },
        AspectRatio(16, 9).map { PhotoTarget(name: "wide", frame: .ratio($0)) },
        PhotoTarget(name: "link", frame: .size(FrameSize(width: 1200, height: 630))),
        AspectRatio(3, 1).map { PhotoTarget(name: "banner", frame: .ratio($0)) },
      ]),
      TargetSet("print", [
        AspectRatio(9, 13).map { PhotoTarget(name: "9x13", frame: .ratio($0), minimum: FrameSize(width: 1063, height: 1536)) },
        AspectRatio(13, 9).map { PhotoTarget(name: "13x9", frame: .ratio($0), minimum: FrameSize(width: 1536, height: 1063)) },
        AspectRatio(2, 3).map { PhotoTarget(name: "10x15", frame: .ratio($0), minimum: FrameSize(width: 1182, height: 1772)) },
        AspectRatio(3, 2).map { PhotoTarget(name: "15x10", frame: .ratio($0), minimum: FrameSize(width: 1772, height: 1182)) },
        AspectRatio(13, 18).map { PhotoTarget(name: "13x18", frame: .ratio($0), minimum: FrameSize(width: 1536, height: 2126)) },
        AspectRatio(18, 13).map { PhotoTarget(name: "18x13", frame: .ratio($0), minimum: FrameSize(width: 2126, height: 1536)) },
        AspectRatio(2, 3).map { PhotoTarget(name: "20x30", frame: .ratio($0), minimum: FrameSize(width: 2363, height: 3544)) },
        AspectRatio(3, 2).map { PhotoTarget(name: "30x20", frame: .ratio($0), minimum: FrameSize(width: 3544, height: 2363)) },
      ]),
    ]
  }
#endif
