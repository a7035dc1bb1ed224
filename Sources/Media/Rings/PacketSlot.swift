/// Where a packet lies, and what its writer said of it.
struct PacketSlot<Header: BitwiseCopyable>: BitwiseCopyable {
  var header: Header
  var start: Int
  var byteCount: Int
}
