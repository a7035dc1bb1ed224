import App
import Base
import CHeapMeter
import Configuration
import Machine

/// The program, from the command line's arguments to the exit status.
enum FieldcorderProgram {
  static let software: StaticString = "fieldcorder 0.1.0"

  static func run(_ words: inout ArgumentList) -> Int32 {
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

  /// Has the script read in place of standard input.
  private static func readScript(_ path: FixedText<256>?) throws(InvocationError) {
    guard let path, !StandardStreams.read(from: path) else { return }
    throw InvocationError(
      option: "--script", given: FixedText(path.bytes), expected: "a file that can be read")
  }

  private static func configure(_ invocation: Invocation) -> Int32 {
    do throws(SettingsError) {
      return start(invocation, try StartSettings(invocation))
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
    return context
  }
}

extension Settings {
  /// The language in force.
  var language: Language { console.language ?? systemLanguage() }
}

extension StandardStreams {
  /// Says a line in a language.
  static func say<let capacity: Int>(_ line: FixedText<capacity>, in language: Language) {
    if let translated = Messages.line(line.bytes, in: language) { say(translated) } else { say(line) }
  }

  /// Says what is wrong in a language; the program's name at the start of the line stays.
  static func complain<let capacity: Int>(_ line: FixedText<capacity>, in language: Language) {
    if let translated = Messages.line(line.bytes, in: language, mayBeMarked: true) {
      complain(translated)
    } else {
      complain(line)
    }
  }
}
