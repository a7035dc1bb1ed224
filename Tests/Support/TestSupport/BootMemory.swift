import Rings

/// Boot memory for one test. It is never freed, because what is cut from boot memory may be kept for ever.
public func leakedBootMemory(byteCount: Int) -> BootMemory {
  let region = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 4096)
  unsafe region.initializeMemory(as: UInt8.self, repeating: 0)
  return unsafe BootMemory(region: region)
}

/// Likewise, as large as it needs to be.
public func leakedBootMemory() -> BootMemory {
  // Sound: never freed, and handed out once.
  unsafe BootMemory { byteCount in
    let memory = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 4096)
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
    return unsafe memory
  }
}
