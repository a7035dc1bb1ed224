import CFuzzer
import Glibc

/// The parser that this process fuzzes. Written once, before libFuzzer starts.
nonisolated(unsafe) private var target = FuzzTarget.console

/// `fieldcorder-fuzz TARGET [libFuzzer's options] [FILE…]`; without a target it lists them.
@_cdecl("fieldcorder_fuzz_main")
public func main(count: Int32, words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Int32 {
  guard count > 1, let chosen = FuzzTarget(rawValue: String(cString: words[1]!)) else {
    for target in FuzzTarget.allCases { print(target.rawValue) }
    return count > 1 ? 2 : 0
  }
  target = chosen
  words[1] = words[0]
  var rest = count - 1
  var restWords: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = words + 1
  return LLVMFuzzerRunDriver(&rest, &restWords) { bytes, count in
    target.run(UnsafeRawBufferPointer(start: bytes, count: count))
    return 0
  }
}
