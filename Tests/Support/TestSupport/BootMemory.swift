import Rings

/// Boot memory for one test. It is never freed, because what is cut from boot memory may be kept for ever.
public func leakedBootMemory(byteCount: Int) -> BootMemory {
  let region = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 4096)
  unsafe region.initializeMemory(as: UInt8.self, repeating: 0)
  return unsafe BootMemory(region: region)
}
