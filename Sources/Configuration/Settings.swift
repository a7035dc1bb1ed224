import Base

/// The whole configuration, by sections of the file. A new value holds the defaults.
package struct Settings: Equatable, Sendable {
  /// `[record]`
  package var record = RecordSettings()
  /// `[storage]`
  package var storage = StorageSettings()
  /// `[identity]`
  package var identity = IdentitySettings()
  /// `[audio]`
  package var audio = AudioSettings()
  /// `[speaker]`
  package var speaker = SpeakerSettings()
  /// `[video]`
  package var video = VideoSettings()
  /// `[zoom]`
  package var zoom = ZoomSettings()
  /// `[view]`
  package var view = ViewSettings()
  /// `[monitor]`
  package var monitor = MonitorSettings()
  /// `[photo]`
  package var photo = PhotoSettings()
  /// `[player]`
  package var player = PlayerSettings()
  /// `[stream]`
  package var stream = StreamSettings()
  /// `[tone]`
  package var tone = ToneSettings()
  /// `[library]`
  package var library = LibrarySettings()
  /// `[retention]`
  package var retention = RetentionSettings()
  /// `[buttons]`
  package var buttons = ButtonSettings()
  /// `[power]`
  package var power = PowerSettings()
  /// `[heat]`
  package var heat = HeatSettings()
  /// `[leds]`
  package var leds = LEDSettings()
  /// `[accelerometer]`
  package var accelerometer = AccelerometerSettings()
  /// `[clock]`
  package var clock = ClockSettings()
  /// `[gps]`
  package var receiver = ReceiverSettings()
  /// `[schedule]`
  package var schedule = ScheduleSettings()
  /// `[trigger]`
  package var trigger = TriggerSettings()
  /// `[timecode]`
  package var timecode = TimecodeSettings()
  /// `[console]`
  package var console = ConsoleSettings()
  /// `[loop]`
  package var loop = LoopSettings()
  /// `[sim]`
  package var simulation = SimulationSettings()

  /// The defaults.
  @export(interface)
  package init() {}

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
