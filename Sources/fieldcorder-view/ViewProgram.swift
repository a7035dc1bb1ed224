import CLinux
import Posix
import Text
import Viewing

/// The program: from the words of the command line to the exit status.
enum ViewProgram {
  static let software: StaticString = "fieldcorder-view 0.1.0"

  enum ExitStatus {
    static let done: Int32 = 0
    static let failed: Int32 = 1
    static let refused: Int32 = 2
  }

  static func run(_ words: inout ArgumentList) -> Int32 {
    var first = words
    switch first.next() {
    case .some(let word) where word == "--help": write(usage)
    case .some(let word) where word == "--version": write(software)
    case .some(let word) where word == "--picture": return PictureCommand.run(&first)
    default: return serve(&words)
    }
    return ExitStatus.done
  }

  private static func serve(_ words: inout ArgumentList) -> Int32 {
    guard let invocation = ViewInvocation(&words) else {
      return refuse("fieldcorder starts it, and says how; --help tells more")
    }
    guard let memory = SharedView(descriptor: Int32(linux_first_inherited)) else {
      return refuse("there is no recorder's memory to look at")
    }
    guard var session = ViewSession(invocation, memory.reader, ViewLink(descriptor: Int32(linux_second_inherited)))
    else {
      return fail("there is not enough memory")
    }
    session.run()
    return ExitStatus.done
  }

  static func refuse(_ reason: StaticString) -> Int32 { complain(reason, ExitStatus.refused) }

  static func fail(_ reason: StaticString) -> Int32 { complain(reason, ExitStatus.failed) }

  private static func complain(_ reason: StaticString, _ status: Int32) -> Int32 {
    write("fieldcorder-view: \(reason)\n" as FixedText<256>, to: STDERR_FILENO)
    return status
  }

  private static let usage: StaticString = """
    fieldcorder-view 0.1.0: shows what fieldcorder's camera sees; fieldcorder starts it

    usage: fieldcorder-view DEVICE fit|fill WIDTH HEIGHT [built-in|standing]
           fieldcorder-view --picture OUTPUT WIDTH HEIGHT fit|fill built-in|standing JPEG [KEY=VALUE...]
      DEVICE             the display's card, such as /dev/dri/card0
      fit, fill          all of the picture, or all of the display
      WIDTH, HEIGHT      of the largest picture; of the display for --picture
      built-in, standing the display turns with the device, or stands beside it
      --picture          draws one view into a file, as PPM; the keys are recording (milliseconds), zoom,
                         orientation, viewfinder (X,Y,WIDTH,HEIGHT as fractions), peaks (two, in dBFS), free
                         (bytes) and faults (bits)
      --help, --version  print this, or the version
    """

  private static func write(_ text: StaticString) {
    unsafe text.utf8Bytes.withUnsafeBufferPointer { _ = unsafe CLinux.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    write("\n" as FixedText<8>, to: STDOUT_FILENO)
  }

  private static func write<let capacity: Int>(_ text: FixedText<capacity>, to descriptor: Int32) {
    unsafe text.bytes.withUnsafeBufferPointer { _ = unsafe CLinux.write(descriptor, $0.baseAddress, $0.count) }
  }
}
