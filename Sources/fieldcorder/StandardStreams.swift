import CLinux
import Text

/// Lines for whoever started the program, outside of the console.
enum StandardStreams {
  static func say<let capacity: Int>(_ line: FixedText<capacity>) { write(line, to: STDOUT_FILENO) }

  static func complain<let capacity: Int>(_ line: FixedText<capacity>) { write(line, to: STDERR_FILENO) }

  private static func write<let capacity: Int>(_ line: FixedText<capacity>, to descriptor: Int32) {
    put(line.bytes, to: descriptor)
    let lineEnd: FixedText<1> = "\n"
    put(lineEnd.bytes, to: descriptor)
  }

  private static func put(_ bytes: Span<UInt8>, to descriptor: Int32) {
    // Sound: the pointer is used only while it is lent. A stream that takes nothing is nothing to be told about.
    unsafe bytes.withUnsafeBufferPointer { _ = unsafe CLinux.write(descriptor, $0.baseAddress, $0.count) }
  }
}
