import App
import Base
import Configuration
import Machine
import Record

/// The settings at start: the configuration file's, overridden by those saved on the console.
struct StartSettings {
  private(set) var settings: Settings
  /// Those of the configuration file.
  let fileSettings: Settings
  private(set) var localTime: LocalTime
  /// Which saved settings could not be used, and why; nil if all could.
  private(set) var savedEvent: FixedText<512>?

  /// - Throws: what is wrong with the configuration file. Saved settings never keep the recorder from starting.
  init(_ invocation: Invocation) throws(SettingsError) {
    let path = invocation.configurationPath ?? Invocation.defaultConfigurationPath
    fileSettings = try Settings.load(path, mustExist: invocation.configurationPath != nil)
    settings = fileSettings
    localTime = try Self.localTime(settings.clock.zone, path)
    readSaved(in: invocation.folder)
  }

  /// Measures how large a picture the machine can record, if the picture size depends on that. Not on a virtual clock,
  /// on which nothing takes time.
  mutating func measureMachine(_ invocation: Invocation) {
    guard settings.video.isMeasured, settings.record.content.hasCamera, invocation.clock == .real else { return }
    let isCodedByMachine =
      invocation.board == .linux && settings.video.codec != .mjpeg && deviceExists(settings.video.encoderDeviceName)
    let speed = withPassingMemory(byteCount: EncodingSpeed.memoryByteCount) { memory in
      EncodingSpeed.measure(
        quality: Int(settings.video.jpegQuality), by: { Instant.now.rawValue }, in: &memory)
    }
    settings.video.budget = settings.budget(
      pixelsPerSecond: isCodedByMachine ? nil : speed, processorCount: usableProcessorCount(),
      memoryByteCount: availableMemoryByteCount())
  }

  private mutating func readSaved(in folder: FixedText<128>) {
    let file: FileDescriptor
    switch savedSettingsFile(in: folder) {
    case .absent: return
    case .unreadable(let errorNumber):
      return note(LeftOutSettings.all(for: .unreadable(errorNumber: errorNumber)))
    case .open(let found): file = found
    }
    note(settings.readSaved(file.number))
    guard settings.clock.zone != fileSettings.clock.zone else { return }
    do throws(SettingsError) { localTime = try Self.localTime(settings.clock.zone, "") } catch {
      settings.clock.zone = fileSettings.clock.zone
      note(LeftOutSettings.one(for: error.problem))
    }
  }

  private mutating func note(_ leftOut: LeftOutSettings) {
    if let line = leftOut.line, savedEvent == nil { savedEvent = FixedText(line.bytes) }
  }

  private static func localTime(_ setting: ZoneSetting, _ path: FixedText<256>) throws(SettingsError) -> LocalTime {
    switch setting {
    case .offset(let minutes): return .offset(seconds: minutes * 60)
    case .named(let name):
      do throws(TimeZoneProblem) {
        return .zone(try TimeZoneTable(named: name))
      } catch {
        throw .zoneNotTaken(name, in: path, expectation: error.expectation)
      }
    }
  }
}
