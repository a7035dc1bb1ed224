import Base
import CLinux
import CSandbox
import Drawing
import Machine
import Wire

enum ViewProgram {
  static let software: StaticString = "fieldcorder-view 0.1.0"
  /// Three buffers of the largest display, of 15 MB each, and as much again while the display changes.
  private static let largestBuffers = 96 << 20
  private static let mostDescriptors: UInt32 = 16

  static func run(_ words: inout ArgumentList) -> Int32 {
    var first = words
    switch first.next() as FixedText<24>? {
    case .some(let word) where word == "--help": StandardStreams.say(usage)
    case .some(let word) where word == "--version": StandardStreams.say(software)
    case .some(let word) where word == "--picture": return PictureCommand.run(&first)
    default: return serve(&words)
    }
    return ExitStatus.done
  }

  private static func serve(_ words: inout ArgumentList) -> Int32 {
    guard let arguments = ViewArguments(readingFrom: { words.next() }) else {
      return refuse("fieldcorder starts it, and says how; --help tells more")
    }
    guard let memory = SharedView(descriptor: Int32(linux_second_inherited)) else {
      return refuse("the recorder's memory is missing")
    }
    guard var session = ViewSession(arguments, memory.reader, ViewLink(descriptor: Int32(linux_first_inherited)))
    else {
      return fail("there is not enough memory")
    }
    // From here on only the display is needed, and the pictures come from a camera, which is not trusted.
    guard sandbox_limit(largestBuffers, mostDescriptors) == 0, sandbox_shut_drawing() >= 0 else {
      return fail("the system refuses a sandbox")
    }
    session.run()
    return ExitStatus.done
  }

  static func refuse(_ reason: StaticString) -> Int32 { complain(reason, ExitStatus.refused) }
  static func fail(_ reason: StaticString) -> Int32 { complain(reason, ExitStatus.failed) }

  private static func complain(_ reason: StaticString, _ status: Int32) -> Int32 {
    StandardStreams.complain("fieldcorder-view: \(reason)" as FixedText<256>)
    return status
  }

  private static let usage: StaticString = """
    fieldcorder-view 0.1.0: shows what fieldcorder's camera sees; fieldcorder starts it

    usage: fieldcorder-view DEVICE fit|fill WIDTH HEIGHT built-in|standing [FONT]
           fieldcorder-view --picture OUTPUT WIDTH HEIGHT fit|fill built-in|standing JPEG|none [KEY=VALUE...]
      DEVICE             the display's card, such as /dev/dri/card0
      fit, fill          all of the picture, or all of the display
      WIDTH, HEIGHT      of the largest picture; of the display for --picture
      built-in, standing the display turns with the device, or stands beside it
      FONT               a file with letters that come before the usual ones
      --picture          draws one view into a file, as PPM: around the camera's picture, or with the player's
                         artwork; the keys are recording, position, duration (milliseconds), room (seconds),
                         free (bytes), zoom, orientation, faults (bits), viewfinder (X,Y,WIDTH,HEIGHT as
                         fractions), peaks, held (two, in dBFS), clips (two, 0 or 1), playing, paused (a title),
                         and for an application player (1), hangul (36 hexadecimal digits), tuner
                         (NOTE,CENTS,HERTZ,REFERENCE), chord (a name), frets, fingers (6 digits or x), and
                         metronome (TEMPO,BEATS,BEAT); font is as FONT
      --help, --version  print this, or the version
    """
}

/// The entry point for C's start-up code: the package manager links this name as `main`.
@_cdecl("fieldcorder_view_main")
public func main(count: Int32, words: UnsafePointer<UnsafePointer<CChar>?>) -> Int32 {
  var words = unsafe ArgumentList(count: count, words: words)
  return ViewProgram.run(&words)
}

/// The fonts of the display. Their files are mapped, so that the kernel reads only the pages that are used.
enum FontFiles {
  /// In the order in which they are searched for a letter: Latin, Greek and Cyrillic in one, Hangul, Kana and symbols
  /// in the other.
  private static let usual: InlineArray<2, FixedText<128>> = [
    "/usr/share/fonts/truetype/roboto/unhinted/RobotoTTF/Roboto-Medium.ttf",
    "/usr/share/fonts/truetype/nanum/NanumBarunGothicBold.ttf",
  ]

  /// Adds the fonts. If one cannot be used, its letters come from the next, and finally from a bitmap.
  /// - Parameters:
  ///   - chosen: searched before the usual ones; nil for none.
  ///   - tell: receives a line for each font that cannot be used.
  static func add(to lettering: Lettering, chosen: FixedText<64>?, tell: (FixedText<256>) -> Void) {
    if let chosen { add("\(chosen)", to: lettering, tell) }
    for index in usual.indices { add(usual[index], to: lettering, tell) }
  }

  private static func add(_ path: FixedText<128>, to lettering: Lettering, _ tell: (FixedText<256>) -> Void) {
    guard let file = unsafe mapped(path) else {
      return tell(
        "font \(path) cannot be read: install fonts-roboto-unhinted and fonts-nanum, or set another [view] font")
    }
    switch unsafe lettering.add(file) {
    case nil: break
    case .damaged: tell("font \(path) is no font of outlines, or damaged: set another [view] font")
    case .memoryFull: tell("font \(path) needs too much memory: set another [view] font")
    }
  }

  // Safe: the mapping is never removed.
  private static func mapped(_ path: FixedText<128>) -> UnsafeRawBufferPointer? {
    // Opening something other than a regular file must not block.
    guard let file = FileDescriptor(path: path, flags: O_RDONLY | O_NONBLOCK) else { return nil }
    var status = stat()
    guard unsafe fstat(file.number, &status) == 0, status.st_size > 0 else { return nil }
    let address = unsafe mmap(nil, Int(status.st_size), PROT_READ, MAP_PRIVATE, file.number, 0)
    guard unsafe linux_is_map_failed(address) == 0 else { return nil }
    return unsafe UnsafeRawBufferPointer(start: address, count: Int(status.st_size))
  }
}
