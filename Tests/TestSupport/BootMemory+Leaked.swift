import Rings

extension BootMemory {
  /// Memory that a test never gives back, as the appliance never does.
  public static func leaked(byteCount: Int) -> BootMemory {
    // Sound: nothing ever frees it.
    let region = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 4096)
    unsafe region.initializeMemory(as: UInt8.self, repeating: 0)
    return unsafe BootMemory(region: region)
  }
}
