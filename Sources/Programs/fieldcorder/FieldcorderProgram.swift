import App
import Base
import CHeapMeter
import Configuration
import Machine

/// The program, from the command line's arguments to the exit status.
enum FieldcorderProgram {
  static let software: StaticString = "fieldcorder 0.1.0"

  static func run(_ words: inout ArgumentList) -> Int32 {
    StandardStreams.openAll()
    do throws(InvocationError) {
      let invocation = try Invocation(&words)
      switch invocation.mode {
      case .help: HelpText.print(version: software)
      case .version: StandardStreams.say(software)
      case .run:
        try readScript(invocation.scriptPath)
        return configure(invocation)
      }
      return ExitStatus.done
    } catch {
      StandardStreams.complain(error.line, in: systemLanguage())
      return ExitStatus.refused
    }
  }

  /// Reads the script in place of standard input.
  private static func readScript(_ path: FixedText<256>?) throws(InvocationError) {
    guard let path, !StandardStreams.read(from: path) else { return }
    throw InvocationError(
      option: "--script", given: FixedText(path.bytes), expected: "a file that can be read")
  }

  private static func configure(_ invocation: Invocation) -> Int32 {
    do throws(SettingsError) {
      var settings = try StartSettings(invocation)
      settings.measureMachine(invocation)
      return start(invocation, settings)
    } catch {
      StandardStreams.complain(error.line, in: systemLanguage())
      return ExitStatus.refused
    }
  }

  private static func start(_ invocation: Invocation, _ settings: StartSettings) -> Int32 {
    let signals = StopSignals()
    do throws(DeviceFailure) {
      switch invocation.board {
      case .sim: try runSimulated(invocation, settings, until: signals)
      case .linux: try runLinux(invocation, settings, until: signals)
      }
      return ExitStatus.done
    } catch {
      StandardStreams.complain("fieldcorder: \(error.line)" as FixedText<320>, in: settings.settings.language)
      return error.device == .memory ? ExitStatus.refused : ExitStatus.failed
    }
  }

  static func context(_ invocation: Invocation, _ start: StartSettings) -> ApplianceContext {
    var context = ApplianceContext(
      settings: start.settings, localTime: start.localTime, identity: DeviceIdentity(high: 0, low: 0),
      software: software,
      language: start.settings.language, looks: systemTerminalLooks(),
      // On a virtual clock one encoder, so that a seed produces the same run on every machine.
      processorCount: invocation.clock == .fast ? 1 : usableProcessorCount(),
      heapAllocationCount: heap_meter_count_since_mark, workClock: { Instant.now.rawValue })
    context.fileSettings = start.fileSettings
    context.savedEvent = start.savedEvent
    context.endsAtError = invocation.scriptPath != nil
    return context
  }
}

extension Settings {
  /// The language in force.
  var language: Language { console.language ?? systemLanguage() }
}

extension StandardStreams {
  /// Prints a line in a language.
  static func say<let capacity: Int>(_ line: FixedText<capacity>, in language: Language) {
    if let translated = Messages.line(line.bytes, in: language) { say(translated) } else { say(line) }
  }

  /// Prints an error in a language; the program's name at the start of the line stays.
  static func complain<let capacity: Int>(_ line: FixedText<capacity>, in language: Language) {
    if let translated = Messages.line(line.bytes, in: language, mayBeMarked: true) {
      complain(translated)
    } else {
      complain(line)
    }
  }
}

/// What `--help` prints.
enum HelpText {
  static func print(version: StaticString) {
    say("\(version): records sound and pictures, safely, at the press of a button")
    say("")
    say("usage: fieldcorder [OPTION]...")
    say("  --board sim|linux       the simulated board, or this machine's devices (linux)")
    say("  --config FILE           the configuration (/etc/fieldcorder.conf, where there is one)")
    say("  --data DIR              where takes go (/var/lib/fieldcorder; data on the simulated board)")
    say("  --console stdio|DEVICE  the console: standard input and output, or a serial device (stdio)")
    say("  --script FILE           run console commands from a file, up to its end or an error")
    say("  --clock real|fast       on the simulated board, fast jumps from event to event (real)")
    say("  --seed N                random seed of the simulated board (0)")
    say("  --allow-inject          let the console press buttons and turn the device")
    say("  --preview               on a terminal, begin with the camera's picture")
    say("  --help, --version       print this, or the version")
    say("")
    say("On the console, help lists the commands.")
  }

  private static func say(_ line: FixedText<128>) { StandardStreams.say(line, in: systemLanguage()) }
}

/// The entry point for C's start-up code: the package manager links this name as `main`.
@_cdecl("fieldcorder_main")
public func main(count: Int32, words: UnsafePointer<UnsafePointer<CChar>?>) -> Int32 {
  var words = unsafe ArgumentList(count: count, words: words)
  return FieldcorderProgram.run(&words)
}
