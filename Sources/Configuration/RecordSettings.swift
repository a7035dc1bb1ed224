import Base
import Media

/// `[record]`: what a take holds, and how it is stored.
package struct RecordSettings: Equatable, Sendable {
  /// When the devices are opened.
  package var arming = Arming.atBoot
  /// Whether a take has pictures.
  package var content = TakeContent.video
  /// The container of a take without pictures.
  package var audioContainer = AudioContainer.wav
  /// Whether the loudness of a take's sound is measured, for its metadata.
  package var measuresLoudness = false
  /// How many seconds before the press are part of the take.
  package var prerollSeconds: UInt32 = 5
  /// How long the card may stall before anything is lost.
  package var stallSeconds: UInt32 = 10
  package var names = NameSettings()
  package var split = SplitSettings()
  /// How many seconds apart the pictures of a time lapse are, 0.5…86,400 in steps of a half; 0 for none: a take has
  /// every picture.
  package var intervalSeconds = 0.0
  /// How many pictures a second a time lapse is played at, 1…120.
  package var intervalFrameRate: UInt32 = 25
  /// Whether a take interrupted by a crash or power cut continues at the next boot.
  package var resumes = true
  /// The length of a fragment, which a power cut can lose.
  package var fragmentMilliseconds: UInt32 = 500

  /// The defaults.
  package init() {}

  /// What a take contains.
  package func form(of channels: MainChannels = MainChannels()) -> TakeForm {
    let lapse =
      intervalSeconds == 0 ? nil : TimeLapse(intervalSeconds: intervalSeconds, framesPerSecond: intervalFrameRate)
    return TakeForm(
      content: content, audioContainer: audioContainer, lapse: lapse,
      loudness: measuresLoudness ? channels : nil)
  }

  mutating func visit(_ visitor: inout SettingsTable) {
    visitor.section("record")
    visitor.setting("arm", &arming, ChoiceKind())
    visitor.setting("what", &content, ChoiceKind(), .live(.takeContent))
    visitor.setting("audio_format", &audioContainer, ChoiceKind(), .live(.audioContainer))
    visitor.setting("loudness", &measuresLoudness, YesOrNoKind(), .live(.loudness))
    names.visit(&visitor)
    visitor.setting("preroll_seconds", &prerollSeconds, WholeNumberKind(0...60, "seconds"))
    visitor.setting("stall_seconds", &stallSeconds, WholeNumberKind(1...60, "seconds"))
    visitor.setting("split_bytes", &split.byteCount, ByteCountKind(), .live(.split))
    visitor.setting(
      "split_seconds", &split.seconds, WholeNumberKind(5...86_400, "seconds", zeroMeaning: "never"), .live(.split))
    visitor.setting("split_on_rotate", &split.isOnRotate, YesOrNoKind(), .live(.split))
    visitor.setting("interval_seconds", &intervalSeconds, HalfSecondsKind(), .live(.interval))
    visitor.setting(
      "interval_frame_rate", &intervalFrameRate, WholeNumberKind(1...120, "frames a second"), .live(.interval))
    visitor.setting("resume", &resumes, YesOrNoKind())
    visitor.setting("fragment_milliseconds", &fragmentMilliseconds, WholeNumberKind(200...1000, "milliseconds"))
  }
}

/// The content of a take, and its container.
package struct TakeForm: BitwiseCopyable, Equatable, Sendable {
  package let content: TakeContent
  package let audioContainer: AudioContainer
  /// Nil for all pictures.
  package let lapse: TimeLapse?
  /// The channels whose loudness is measured; nil for none.
  package let loudness: MainChannels?
}

/// The channels that bring what a take is about.
package struct MainChannels: BitwiseCopyable, Equatable, Sendable {
  /// Whether the second half of the channels are the same, only quieter.
  let hasSafety: Bool
  /// The channel that brings timecode, 1…8; nil for none.
  let timecode: UInt16?

  package init(hasSafety: Bool = false, timecode: UInt16? = nil) {
    self.hasSafety = hasSafety
    self.timecode = timecode
  }

  /// A bit for each.
  /// - Parameter channelCount: of the recorded sound.
  package func bits(of channelCount: UInt16) -> UInt8 {
    var bits: UInt8 = 0
    for channel in 1...max(hasSafety ? channelCount / 2 : channelCount, 1) where channel != timecode {
      bits |= 1 << (channel - 1)
    }
    return bits
  }
}

/// Pictures at an interval: a film without sound, or stills.
package struct TimeLapse: BitwiseCopyable, Equatable, Sendable {
  /// From one picture to the next.
  package let intervalSeconds: Double
  /// How fast it is played.
  package let framesPerSecond: UInt32

  /// The interval, as in the configuration.
  package var intervalText: FixedText<64> {
    var text = FixedText<64>()
    HalfSecondsKind().append(intervalSeconds, to: &text)
    return text
  }
}

/// When a take continues in a new file.
package struct SplitSettings: BitwiseCopyable, Equatable, Sendable {
  /// Before a file gets larger than this; 0 for never.
  package var byteCount: UInt64 = 0
  /// When a file has reached this length; 0 for never.
  package var seconds: UInt32 = 0
  /// Also when the device is rotated.
  package var isOnRotate = false
}

/// When the devices are opened and the pre-roll starts to fill.
package enum Arming: UInt8, Choice {
  /// At boot: every take has its pre-roll.
  case atBoot
  /// When the record button is pressed: there is no pre-roll.
  case atPress

  /// Its name in the file.
  package var name: StaticString {
    switch self {
    case .atBoot: "boot"
    case .atPress: "press"
    }
  }
}

package enum TakeContent: UInt8, Choice, BitwiseCopyable {
  /// Pictures and sound.
  case video
  /// Only sound.
  case audio
  /// Sound, and a still at each interval.
  case stills

  /// Whether the camera is needed.
  package var hasCamera: Bool { self != .audio }

  /// Its name in the file.
  package var name: StaticString {
    switch self {
    case .video: "video"
    case .audio: "audio"
    case .stills: "stills"
    }
  }
}
