import App
import Base
import Configuration
import Machine
import Record

/// The settings that the recorder starts with: the configuration file's, and over them what was saved on the console.
struct StartSettings {
  private(set) var settings: Settings
  /// Those of the configuration file.
  let fileSettings: Settings
  private(set) var localTime: LocalTime
  /// What of those that were saved could not be used, and why; nil if all could.
  private(set) var savedEvent: FixedText<512>?

  /// - Throws: what is wrong with the configuration file. What was saved never keeps the recorder from starting.
  init(_ invocation: Invocation) throws(SettingsError) {
    let path = invocation.configurationPath ?? Invocation.defaultConfigurationPath
    fileSettings = try Settings.load(path, mustExist: invocation.configurationPath != nil)
    settings = fileSettings
    localTime = try Self.localTime(settings.clock.zone, path)
    readSaved(in: invocation.folder)
  }

  /// Finds out what the machine can take in, where the size of pictures depends on that. On a virtual clock nothing
  /// takes time.
  mutating func measureMachine(_ invocation: Invocation) {
    guard settings.video.isMeasured, settings.record.content == .video, invocation.clock == .real else { return }
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
