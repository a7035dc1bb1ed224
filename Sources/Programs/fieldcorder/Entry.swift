import Machine

/// The entry point that C's start-up code calls: the package manager links this name as `main`.
@_cdecl("fieldcorder_main")
public func main(count: Int32, words: UnsafePointer<UnsafePointer<CChar>?>) -> Int32 {
  var words = unsafe ArgumentList(count: count, words: words)
  return FieldcorderProgram.run(&words)
}
