import Base
import Configuration
import TestSupport

/// Gives every setting a random valid value.
struct RandomSettings {
  private var generator: SeededGenerator
  private var freeOffsets: [UInt16]

  private init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    freeOffsets = (0...1023).shuffled(using: &generator)
  }

  static func make(seed: UInt64) -> Settings {
    var settings = Settings()
    var visitor = RandomSettings(seed: seed)
    visitor.fill(&settings)
    if settings.video.preset == .largest || settings.video.ownSize == nil {
      settings.video.widthPixels = nil
      settings.video.heightPixels = nil
    }
    if settings.heat.hotCelsius <= settings.heat.warmCelsius { settings.heat = Settings().heat }
    if let warn = settings.power.battery.warnVolts, let finish = settings.power.battery.finishVolts, warn <= finish {
      settings.power.battery = BatterySettings()
    }
    if settings.disagreement != nil {
      settings.audio = Settings().audio
      settings.timecode = Settings().timecode
    }
    return settings
  }

  private mutating func fill(_ settings: inout Settings) {
    var table = SettingsTable(settings)
    for index in 0..<table.count {
      if isPin(table[index]) {
        let offset = Bool.random(using: &generator) ? freeOffsets.popLast() : nil
        _ = table.assign(FixedText(offset.map { "\($0)" } ?? "none"), at: index, in: &settings)
        continue
      }
      for _ in 0..<20 {
        guard table.assign(FixedText(candidate()), at: index, in: &settings) != nil else { break }
      }
    }
  }

  private func isPin(_ row: SettingRow) -> Bool {
    switch "\(row.section)" {
    case "buttons", "leds": !["chip", "active_low", "debounce_milliseconds"].contains("\(row.key)")
    case "power": "\(row.key)" == "line"
    default: false
    }
  }

  private static let words = [
    "boot", "press", "video", "audio", "stills", "aiff", "caf", "wav", "auto", "s16", "s24", "float", "mjpeg", "yuyv",
    "nv12",
    "yuv420", "480p", "720p", "1080p", "yes", "no", "none", "default", "hw:1,0", "plughw:CARD=녹음기,DEV=0", "/dev/video1",
    "a=b:c#d", "#x", "9600",
    "0", "linear", "sine-in-out", "elastic-out",
    "2M", "7G", "4096K",
  ]

  private mutating func candidate() -> String {
    switch UInt8.random(in: 0..<5, using: &generator) {
    case 0: Self.words.randomElement(using: &generator)!
    case 1: String(Int.random(in: -600...600, using: &generator))
    case 2: String(Int.random(in: 0...5000, using: &generator) * 2)
    case 3: "\(Int.random(in: -100...900, using: &generator)).\(Int.random(in: 0...999, using: &generator))"
    default: String(Int.random(in: 0...200_000, using: &generator))
    }
  }
}
