import Base

extension FixedText<32> {
  /// The name of a driver's control as v4l2-ctl writes it: small letters and digits, and `_` for what stands between them.
  /// - Parameter name: ends with a 0, or with the bytes.
  init(asWord name: UnsafeRawBufferPointer) {
    self.init()
    var isApart = false
    for index in name.indices {
      let byte = unsafe name[index]
      if byte == 0 { break }
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "A")...UInt8(ascii: "Z"):
        if isApart, !isEmpty { append("_") }
        isApart = false
        append(byte: byte < UInt8(ascii: "a") && byte > UInt8(ascii: "9") ? byte | 0x20 : byte)
      default: isApart = true
      }
    }
  }
}
