/// What Swift's hashing would seed itself with. Nothing in the module hashes, but the linker asks for
/// the symbol, and the C library's own drags its input and output along.
@_cdecl("arc4random_buf")
public func seed(_ bytes: UnsafeMutableRawPointer, _ count: Int) {
  bytes.initializeMemory(as: UInt8.self, repeating: 0, count: count)
}
