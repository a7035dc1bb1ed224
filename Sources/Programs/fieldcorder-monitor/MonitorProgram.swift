import Base
import CFFmpeg
import CHTTP
import CLinux
import CSandbox
import Configuration
import Machine
import Wire

enum MonitorProgram {
  static let software: StaticString = "fieldcorder-monitor 0.1.0"
  /// The largest single allocation that an encoder may make.
  private static let largestAllocation = 16 << 20

  static func run(_ words: inout ArgumentList) -> Int32 {
    do throws(Refusal) {
      let invocation = try MonitorInvocation(&words)
      switch invocation.mode {
      case .help: StandardStreams.say(usage)
      case .version: StandardStreams.say(software)
      case .run: try serve(invocation)
      }
      return ExitStatus.done
    } catch {
      StandardStreams.complain("fieldcorder-monitor: \(error.line)" as FixedText<1100>)
      return ExitStatus.refused
    }
  }

  private static func serve(_ invocation: MonitorInvocation) throws(Refusal) {
    linux_ignore_broken_pipes()
    ffmpeg_silence()
    av_max_alloc(largestAllocation)
    // Detects the processor's features while system files can still be opened.
    _ = av_get_cpu_flags()
    let settings = try self.settings(invocation)
    let place = try ListeningPlace(settings)
    guard settings.source == nil || settings.snapcastPort == nil else {
      throw Refusal("[monitor] source is a file, which players in sync are not sent: expected snapcast_port = none")
    }
    let token = try TokenFile.load(settings.tokenPath, besides: invocation.stateFolder)
    var memory = unsafe BootMemory(source: lockedPages)
    guard let link = RecorderLink(path: invocation.socketPath) else {
      throw Refusal(
        "there is no socket for the recorder: let systemd start fieldcorder-monitor.socket, or use --socket")
    }
    let page = place.page(with: token)
    // Early, while little memory is used: the process that reads the file gets a copy of all memory.
    let file = try FileStream(settings.source, in: &memory)
    guard let answers = FixedAnswers(),
      let made = Broadcast(
        token: token, page: page, answers: answers, link: link, file: file,
        bufferMilliseconds: UInt32(settings.snapcastBufferMilliseconds), connectionCount: Int(settings.connectionCount),
        in: &memory),
      let broadcast = unsafe memory.place(made)
    else { throw Refusal("there is not enough memory") }
    let server = try unsafe place.serve(settings, broadcast)
    let snapcast = try SnapcastFeed(settings, in: &memory)
    // The token is printed only to a terminal, because others may be able to read a journal.
    let address = isatty(STDOUT_FILENO) == 1 ? page : FixedText(place.url.bytes)
    guard sandbox_drop_rights() == 0, sandbox_shut_serving() >= 0 else {
      throw Refusal("the system refuses a sandbox")
    }
    StandardStreams.say("listening at \(address)" as FixedText<256>)
    var loop = unsafe MonitorLoop(broadcast, server, snapcast)
    loop.run()
  }

  private static func settings(_ invocation: MonitorInvocation) throws(Refusal) -> MonitorSettings {
    do throws(SettingsError) {
      let path = invocation.configurationPath ?? "/etc/fieldcorder.conf"
      return try Settings.load(path, mustExist: invocation.configurationPath != nil).monitor
    } catch {
      throw Refusal(error.line)
    }
  }

  private static let usage: StaticString = """
    fieldcorder-monitor 0.1.0: lets others see and hear over a network what fieldcorder records

    usage: fieldcorder-monitor [--config FILE] [--socket PATH] [--state FOLDER]
      --config FILE      the recorder's configuration, of which [monitor] is used; /etc/fieldcorder.conf if left out
      --socket PATH      where the recorder connects; if left out, systemd has made the socket
      --state FOLDER     where the token is kept; /var/lib/fieldcorder-monitor if left out
      --help, --version  print this, or the version
    """
}

/// Why the program does not run.
struct Refusal: Error {
  let line: FixedText<1024>

  init(_ line: FixedText<1024>) { self.line = line }
}

/// The entry point for C's start-up code: the package manager links this name as `main`.
@_cdecl("fieldcorder_monitor_main")
public func main(count: Int32, words: UnsafePointer<UnsafePointer<CChar>?>) -> Int32 {
  var words = unsafe ArgumentList(count: count, words: words)
  return MonitorProgram.run(&words)
}

struct MonitorInvocation {
  enum Mode {
    case run
    case help
    case version
  }

  var mode = Mode.run
  var configurationPath: FixedText<256>?
  /// Nil: the service manager has made the socket.
  var socketPath: FixedText<128>?
  var stateFolder: FixedText<128> = "/var/lib/fieldcorder-monitor"

  init(_ words: inout ArgumentList) throws(Refusal) {
    while let word: FixedText<64> = words.next() {
      if word == "--help" {
        mode = .help
      } else if word == "--version" {
        mode = .version
      } else if word == "--config" {
        configurationPath = try Self.value(&words, word)
      } else if word == "--socket" {
        socketPath = try Self.value(&words, word)
      } else if word == "--state" {
        stateFolder = try Self.value(&words, word)
      } else {
        throw Refusal("\(word) is not an option; --help lists them")
      }
    }
  }

  private static func value<let capacity: Int>(
    _ words: inout ArgumentList, _ option: FixedText<64>
  ) throws(Refusal) -> FixedText<capacity> {
    guard let value: FixedText<capacity> = words.next(), !value.isEmpty, !value.isTruncated else {
      throw Refusal("\(option) needs a path of at most \(capacity) bytes")
    }
    return value
  }
}

enum TokenFile {
  /// Reads the token; if the configuration names no file, the stored one, which is created at the first start.
  static func load(_ path: FixedText<64>?, besides folder: FixedText<128>) throws(Refusal) -> AccessToken {
    let file: FixedText<256> = path.map { FixedText($0.bytes) } ?? "\(folder)/token"
    if let opened = FileDescriptor(path: file, flags: O_RDONLY) { return try read(opened, file) }
    guard path == nil, lastSystemError == ENOENT else {
      throw Refusal(
        "the token in \(file) cannot be read: give the program's user the right to, or remove [monitor] token")
    }
    return try make(file)
  }

  private static func read(_ opened: borrowing FileDescriptor, _ file: FixedText<256>) throws(Refusal) -> AccessToken {
    var bytes = InlineArray<128, UInt8>(repeating: 0)
    var span = bytes.mutableSpan
    let count = unsafe span.withUnsafeMutableBytes { unsafe CLinux.read(opened.number, $0.baseAddress, $0.count) }
    guard count > 0, let token = AccessToken(bytes.span.extracting(first: count)) else {
      throw Refusal("\(file) has no token: expected a line of 16…64 characters without spaces")
    }
    return token
  }

  private static func make(_ file: FixedText<256>) throws(Refusal) -> AccessToken {
    var words: (UInt64, UInt64) = (0, 0)
    guard unsafe getrandom(&words, 16, 0) == 16 else { throw Refusal("the system has no random numbers") }
    let token = AccessToken(randomHigh: words.0, randomLow: words.1)
    let line: FixedText<72> = "\(token.bytes)\n"
    guard let made = FileDescriptor(path: file, flags: O_WRONLY | O_CREAT | O_EXCL, mode: 0o600),
      unsafe line.bytes.withUnsafeBufferPointer({ unsafe write(made.number, $0.baseAddress, $0.count) })
        == line.byteCount
    else { throw Refusal("cannot keep a token in \(file): make its folder, or set [monitor] token") }
    StandardStreams.say("made a token: it is in \(file)" as FixedText<320>)
    return token
  }
}
