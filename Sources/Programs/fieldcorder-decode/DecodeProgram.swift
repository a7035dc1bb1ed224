import Base
import CFFmpeg
import Machine
import Wire

/// The program, from its arguments to its exit status.
enum DecodeProgram {
  static let software: StaticString = "fieldcorder-decode 0.1.0"
  /// The largest single allocation that a file may cause.
  private static let largestAllocation = 128 << 20

  static func run(_ words: inout ArgumentList) -> Int32 {
    var first = words
    switch first.next() as FixedText<24>? {
    case .some(let word) where word == "--help": StandardStreams.say(usage)
    case .some(let word) where word == "--version": StandardStreams.say(software)
    default:
      guard let invocation = DecoderInvocation(nextWord: { words.next() }) else {
        StandardStreams.complain("fieldcorder-decode: is started by fieldcorder with valid arguments; see --help")
        return ExitStatus.refused
      }
      return serve(invocation)
    }
    return ExitStatus.done
  }

  private static func serve(_ invocation: DecoderInvocation) -> Int32 {
    guard Sandbox.enter(invocation) else { return ExitStatus.failed }
    ffmpeg_silence()
    av_max_alloc(largestAllocation)
    // Detects the processor's features while system files can still be opened.
    _ = av_get_cpu_flags()
    ffmpeg_load_tables()
    TagCharset.loadTables()
    let socket = OrderSocket(descriptor: invocation.socket)
    guard let ringNumber = invocation.ring, !invocation.isProber else {
      let output = invocation.ring.map { ExtractOutput(descriptor: $0, byteCount: invocation.ringByteCount) } ?? nil
      guard Sandbox.shut() else { return ExitStatus.failed }
      ProbeSession(socket: socket, output: output).run()
      return ExitStatus.done
    }
    guard let ring = PCMRing(descriptor: ringNumber, byteCount: invocation.ringByteCount, format: invocation.format)
    else { return ExitStatus.failed }
    do throws(DeviceFailure) {
      let thread = invocation.isInStep ? nil : unsafe try ReadingThread.start(socket: invocation.socket)
      var session = unsafe DecodeSession(socket: socket, ring: ring, thread: thread, format: invocation.format)
      guard Sandbox.shut() else { return ExitStatus.failed }
      session.run()
      return ExitStatus.done
    } catch {
      return ExitStatus.failed
    }
  }

  private static let usage: StaticString = """
    fieldcorder-decode 0.1.0: decodes sound for fieldcorder, which starts it

    usage: fieldcorder-decode --socket FD [--ring FD] --ring-bytes N --rate HZ --channels N --format s16|s24|float
                              [--in-step] [--probe]
      --socket FD        where requests come from
      --ring FD          the memory for decoded sound, or for what is extracted from files
      --ring-bytes N     how large it is
      --rate, --channels, --format   what the sound card takes
      --in-step          read files on the decoding thread
      --probe            only report the format and tags of files
      --help, --version  print this, or the version
    """
}

/// The entry point for C's start-up code: the package manager links this name as `main`.
@_cdecl("fieldcorder_decode_main")
public func main(count: Int32, words: UnsafePointer<UnsafePointer<CChar>?>) -> Int32 {
  var words = unsafe ArgumentList(count: count, words: words)
  return DecodeProgram.run(&words)
}
