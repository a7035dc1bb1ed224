import Posix

/// Where C's start-up code enters the program: the package manager links this name as `main`.
@_cdecl("fieldcorder_decode_main")
public func main(count: Int32, words: UnsafePointer<UnsafePointer<CChar>?>) -> Int32 {
  var words = unsafe ArgumentList(count: count, words: words)
  return DecodeProgram.run(&words)
}
