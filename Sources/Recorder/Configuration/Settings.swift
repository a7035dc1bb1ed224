import Text

/// The whole configuration, by sections of the file. A new value holds the defaults.
public struct Settings: Equatable, Sendable {
  /// `[record]`
  public var record = RecordSettings()
  /// `[storage]`
  public var storage = StorageSettings()
  /// `[identity]`
  public var identity = IdentitySettings()
  /// `[audio]`
  public var audio = AudioSettings()
  /// `[speaker]`
  public var speaker = SpeakerSettings()
  /// `[video]`
  public var video = VideoSettings()
  /// `[zoom]`
  public var zoom = ZoomSettings()
  /// `[view]`
  public var view = ViewSettings()
  /// `[monitor]`
  public var monitor = MonitorSettings()
  /// `[photo]`
  public var photo = PhotoSettings()
  /// `[player]`
  public var player = PlayerSettings()
  /// `[stream]`
  public var stream = StreamSettings()
  /// `[tone]`
  public var tone = ToneSettings()
  /// `[library]`
  public var library = LibrarySettings()
  /// `[retention]`
  public var retention = RetentionSettings()
  /// `[buttons]`
  public var buttons = ButtonSettings()
  /// `[power]`
  public var power = PowerSettings()
  /// `[heat]`
  public var heat = HeatSettings()
  /// `[leds]`
  public var leds = IndicatorSettings()
  /// `[accelerometer]`
  public var accelerometer = AccelerometerSettings()
  /// `[clock]`
  public var clock = ClockSettings()
  /// `[console]`
  public var console = ConsoleSettings()
  /// `[loop]`
  public var loop = LoopSettings()
  /// `[sim]`
  public var simulation = SimulationSettings()

  /// The defaults.
  public init() {}

  /// Shows every setting to `visitor`. Reading, printing, checking and errors all use this table.
  public mutating func visit(_ visitor: inout some SettingVisitor) {
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
    console.visit(&visitor)
    loop.visit(&visitor)
    simulation.visit(&visitor)
  }

  /// A line of a file with these settings, counted from 0; nil after the last.
  public func line(at index: Int) -> FixedText<128>? {
    var copy = self
    var picker = LinePicker(wantedIndex: index)
    copy.visit(&picker)
    return picker.line
  }

  /// When a change of the setting in such a line is in force; nil for a section's line, and after the last.
  public func effect(at index: Int) -> SettingEffect? {
    var copy = self
    var picker = LinePicker(wantedIndex: index)
    copy.visit(&picker)
    return picker.effect
  }
}

/// `[loop]`: the timing of the main loop.
public struct LoopSettings: Equatable, Sendable {
  /// The period of a tick, 1…20.
  public var tickMilliseconds: UInt32 = 5
  /// The priority in `SCHED_FIFO`; 0 for ordinary scheduling.
  public var priority: UInt8 = 80

  mutating func visit(_ visitor: inout some SettingVisitor) {
    visitor.section("loop")
    visitor.setting("tick_milliseconds", &tickMilliseconds, WholeNumberKind(1...20, "milliseconds"))
    visitor.setting("priority", &priority, WholeNumberKind(1...99, "SCHED_FIFO", zeroMeaning: "ordinary scheduling"))
  }
}
