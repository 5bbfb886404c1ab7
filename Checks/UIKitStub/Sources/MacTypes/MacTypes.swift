// Names of C's MacTypes.h, which Foundation brings to every file on Apple's platforms: a public type
// of CropKit with one of them would be ambiguous. Only the names matter.

/// mactypes/point
public struct Point {}
/// mactypes/rect
public struct Rect {}
/// mactypes/handle
public typealias Handle = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
/// mactypes/ptr
public typealias Ptr = UnsafeMutablePointer<CChar>
/// mactypes/size
public typealias Size = Int
/// mactypes/style
public typealias Style = UInt8
/// mactypes/fixed
public typealias Fixed = Int32
/// mactypes/fixedpoint
public struct FixedPoint {}
/// mactypes/fixedrect
public struct FixedRect {}
/// mactypes/fract
public typealias Fract = Int32
/// mactypes/byte
public typealias Byte = UInt8
/// mactypes/boolean
public typealias Boolean = UInt8
/// mactypes/unichar
public typealias UniChar = UInt16
/// mactypes/ostype
public typealias OSType = UInt32
/// mactypes/osstatus
public typealias OSStatus = Int32
/// mactypes/numversion
public struct NumVersion {}
/// mactypes/timebase
public typealias TimeBase = OpaquePointer
/// mactypes/timescale
public typealias TimeScale = Int32
/// mactypes/timevalue
public typealias TimeValue = Int32
