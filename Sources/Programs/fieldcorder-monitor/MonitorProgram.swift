import Base
import CFFmpeg
import CHTTP
import CLinux
import CSandbox
import Configuration
import Machine
import Wire

/// The program, from its arguments to its exit status.
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
    // While there is nothing but what it needs: the process that reads the file has a copy of all memory.
    let file = try FileStream(settings.source, in: &memory)
    guard let answers = FixedAnswers(),
      let made = Broadcast(
        token: token, answers: answers, link: link, file: file,
        connectionCount: Int(settings.connectionCount), in: &memory),
      let broadcast = unsafe memory.place(made)
    else { throw Refusal("there is not enough memory") }
    let server = try unsafe place.serve(settings, broadcast)
    let snapcast = try SnapcastFeed(settings, in: &memory)
    guard sandbox_drop_rights() == 0, sandbox_shut_serving() >= 0 else {
      throw Refusal("the system refuses a sandbox")
    }
    StandardStreams.say("listening at \(place.url)" as FixedText<160>)
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

/// C's start-up code enters the program here: the package manager links this name as `main`.
@_cdecl("fieldcorder_monitor_main")
public func main(count: Int32, words: UnsafePointer<UnsafePointer<CChar>?>) -> Int32 {
  var words = unsafe ArgumentList(count: count, words: words)
  return MonitorProgram.run(&words)
}
