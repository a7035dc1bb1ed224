import Base

/// What may be asked for.
enum MonitorPath: UInt8 {
  case page
  case wav
  case flac
  case opus
  case pictures
  case still
  case fileMP3
  case fileAAC
  case fileFLAC
  case fileOgg
  case status

  /// - Returns: nil for a path that there is not.
  init?(_ url: FixedText<32>) {
    for number in 0...Self.status.rawValue {
      let path = MonitorPath(rawValue: number)!
      guard url == path.name else { continue }
      self = path
      return
    }
    return nil
  }

  var name: StaticString {
    switch self {
    case .page: "/"
    case .wav: "/live.wav"
    case .flac: "/live.flac"
    case .opus: "/live.opus"
    case .pictures: "/live.mjpeg"
    case .still: "/still.jpg"
    case .fileMP3: "/file.mp3"
    case .fileAAC: "/file.aac"
    case .fileFLAC: "/file.flac"
    case .fileOgg: "/file.ogg"
    case .status: "/status.json"
    }
  }
}

/// The encodings of sound.
enum SoundKind: UInt8 {
  case wav
  case flac
  case opus

  var path: MonitorPath {
    switch self {
    case .wav: .wav
    case .flac: .flac
    case .opus: .opus
    }
  }

  var mediaType: StaticString {
    switch self {
    case .wav: "audio/wav"
    case .flac: "audio/flac"
    case .opus: "audio/ogg; codecs=opus"
    }
  }
}
