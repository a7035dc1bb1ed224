import CLinux
import Text

/// The path of a program in the folder of the one that runs (`/proc/self/exe`).
func programBesideOurs(named name: StaticString) -> FixedText<256> {
  var bytes = InlineArray<256, UInt8>(repeating: 0)
  var span = bytes.mutableSpan
  let itself: FixedText<16> = "/proc/self/exe"
  let count = unsafe span.withUnsafeMutableBytes { room in
    unsafe room.withMemoryRebound(to: CChar.self) { room in
      unsafe itself.withCString { unsafe readlink($0, room.baseAddress!, room.count) }
    }
  }
  let path = FixedText<256>(bytes.span.extracting(first: max(0, count)))
  return "\(path.parentFolder)/\(name)"
}
