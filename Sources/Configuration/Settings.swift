import Base

/// The whole configuration, by sections of the file. A new value holds the defaults.
package struct Settings: Equatable, Sendable {
  package var record = RecordSettings()
  package var storage = StorageSettings()
  package var identity = IdentitySettings()
  package var audio = AudioSettings()
  package var speaker = SpeakerSettings()
  package var video = VideoSettings()
  package var zoom = ZoomSettings()
  package var view = ViewSettings()
  package var monitor = MonitorSettings()
  package var photo = PhotoSettings()
  package var player = PlayerSettings()
  package var stream = StreamSettings()
  package var tone = ToneSettings()
  package var library = LibrarySettings()
  package var retention = RetentionSettings()
  package var buttons = ButtonSettings()
  package var power = PowerSettings()
  package var heat = HeatSettings()
  package var leds = LEDSettings()
  package var accelerometer = AccelerometerSettings()
  package var clock = ClockSettings()
  /// `[gps]`
  package var receiver = ReceiverSettings()
  package var schedule = ScheduleSettings()
  package var trigger = TriggerSettings()
  package var timecode = TimecodeSettings()
  package var console = ConsoleSettings()
  package var loop = LoopSettings()
  /// `[sim]`
  package var simulation = SimulationSettings()

  /// The defaults.
  @export(interface)
  package init() {}

  /// What a take contains.
  package var takeForm: TakeForm {
    record.form(of: MainChannels(hasSafety: audio.processing.safetyDecibels != nil, timecode: timecode.channel))
  }

  /// Shows every setting to `visitor`: the only description of each. ``PerSetting`` limits their number.
  package mutating func visit(_ visitor: inout SettingsTable) {
    record.visit(&visitor)
    storage.visit(&visitor)
    identity.visit(&visitor)
    audio.visit(&visitor)
    speaker.visit(&visitor)
    video.visit(&visitor)
    zoom.visit(&visitor)
    view.visit(&visitor)
    monitor.visit(&visitor)
    photo.visit(&visitor)
    player.visit(&visitor)
    stream.visit(&visitor)
    tone.visit(&visitor)
    library.visit(&visitor)
    retention.visit(&visitor)
    buttons.visit(&visitor)
    power.visit(&visitor, chipName: buttons.chipName)
    heat.visit(&visitor)
    leds.visit(&visitor)
    accelerometer.visit(&visitor)
    clock.visit(&visitor)
    receiver.visit(&visitor)
    schedule.visit(&visitor)
    trigger.visit(&visitor)
    timecode.visit(&visitor)
    console.visit(&visitor)
    loop.visit(&visitor)
    simulation.visit(&visitor)
  }
}

/// `[loop]`: the timing of the main loop.
package struct LoopSettings: Equatable, Sendable {
  /// The period of a tick, 1…20.
  package var tickMilliseconds: UInt32 = 5
  /// The priority in `SCHED_FIFO`; 0 for ordinary scheduling.
  package var priority: UInt8 = 80

  mutating func visit(_ visitor: inout SettingsTable) {
    visitor.section("loop")
    visitor.setting("tick_milliseconds", &tickMilliseconds, WholeNumberKind(1...20, "milliseconds"))
    visitor.setting("priority", &priority, WholeNumberKind(1...99, "SCHED_FIFO", zeroMeaning: "ordinary scheduling"))
  }
}
