import Base
import Drawing
import Wire

/// What `--picture` shows, set by words such as `zoom=2.5`.
struct PictureSettings {
  private var status = ViewStatus()
  /// The peaks that the meters hold; nil for those of the status.
  private var heldDecibels: InlineArray<2, Float>?
  private var chord = ChordReading(name: "", frets: .init(repeating: 0), fingers: .init(repeating: 0))

  /// The status, after one with the held peaks.
  var shown: ShownStatus {
    var earlier = status
    earlier.peakDecibels = heldDecibels ?? status.peakDecibels
    earlier.clipCounts = [0, 0]
    var hold = MeterHold()
    hold.follow(earlier, at: 0)
    hold.follow(status, at: 1)
    return ShownStatus(status, hold)
  }

  /// - Returns: false when the key or the value is invalid.
  mutating func set(_ word: Span<UInt8>) -> Bool {
    setNumber(word) || setList(word) || setPlayer(word) || setApplication(word)
      || setChord(word)
  }

  private mutating func setNumber(_ word: Span<UInt8>) -> Bool {
    if let value = word.removingPrefix("recording=") {
      status.isRecording = true
      return Self.take(value.parseInteger(), into: &status.takeMilliseconds)
    }
    if let value = word.removingPrefix("free=") { return Self.take(value.parseInteger(), into: &status.freeByteCount) }
    if let value = word.removingPrefix("room=") {
      return Self.take(value.parseInteger(as: UInt32.self).map { .some($0) }, into: &status.roomSeconds)
    }
    if let value = word.removingPrefix("faults=") {
      return Self.take(value.parseInteger(as: UInt32.self), into: &status.faults)
    }
    if let value = word.removingPrefix("zoom=") {
      return Self.take(value.parseDecimal().map { Float($0) }, into: &status.zoomFactor)
    }
    if let value = word.removingPrefix("language=") { return Self.take(Language(name: value), into: &status.language) }
    if let value = word.removingPrefix("orientation=") {
      guard let rotation = Rotation(name: value), case .fixed(let named) = rotation else { return false }
      status.orientation = named.rawValue
      return true
    }
    return false
  }

  private mutating func setList(_ word: Span<UInt8>) -> Bool {
    if let value = word.removingPrefix("peaks=") {
      return Self.take(Self.pair(value), into: &status.peakDecibels)
    }
    if let value = word.removingPrefix("held=") {
      return Self.take(Self.pair(value).map { .some($0) }, into: &heldDecibels)
    }
    if let value = word.removingPrefix("clips=") {
      guard let clips = Self.pair(value) else { return false }
      status.clipCounts = [clips[0] > 0 ? 1 : 0, clips[1] > 0 ? 1 : 0]
      return true
    }
    if let value = word.removingPrefix("viewfinder=") {
      guard let sides = Self.decimals(value), sides.count == 4 else { return false }
      status.viewfinder = ViewFraction(
        x: sides.values[0], y: sides.values[1], width: sides.values[2], height: sides.values[3])
      return true
    }
    return false
  }

  private mutating func setPlayer(_ word: Span<UInt8>) -> Bool {
    if let value = word.removingPrefix("playing=") {
      status.player.state = .playing
      status.player.title = FixedText(value)
      return true
    }
    if let value = word.removingPrefix("paused=") {
      status.player.state = .paused
      status.player.title = FixedText(value)
      return true
    }
    if let value = word.removingPrefix("position=") {
      return Self.take(value.parseInteger(), into: &status.player.positionMilliseconds)
    }
    if let value = word.removingPrefix("duration=") {
      return Self.take(value.parseInteger(), into: &status.player.durationMilliseconds)
    }
    return false
  }

  private mutating func setApplication(_ word: Span<UInt8>) -> Bool {
    if word.equals("player=1") {
      status.application = .player
      return true
    }
    if let value = word.removingPrefix("hangul=") { return setBoard(value) }
    if let value = word.removingPrefix("tuner=") {
      guard let reading = Self.decimals(value), reading.count == 4 else { return false }
      status.application = .tuner(
        TunerReading(
          note: UInt8(exactly: reading.values[0]), cents: reading.values[1], hertz: reading.values[2],
          referenceHertz: reading.values[3]))
      return true
    }
    if let value = word.removingPrefix("metronome=") {
      guard let reading = Self.decimals(value), reading.count == 3, let beatCount = UInt8(exactly: reading.values[1]),
        let beat = UInt8(exactly: reading.values[2])
      else { return false }
      status.application = .metronome(MetronomeReading(tempo: reading.values[0], beatCount: beatCount, beat: beat))
      return true
    }
    return false
  }

  private mutating func setChord(_ word: Span<UInt8>) -> Bool {
    if let value = word.removingPrefix("chord=") {
      chord.name = FixedText(value)
    } else if let value = word.removingPrefix("frets="), let frets = Self.strings(value) {
      chord.frets = frets
    } else if let value = word.removingPrefix("fingers="), let fingers = Self.strings(value) {
      chord.fingers = fingers
    } else {
      return false
    }
    status.application = .chord(chord)
    return true
  }

  /// A hexadecimal digit for each syllable.
  private mutating func setBoard(_ digits: Span<UInt8>) -> Bool {
    var levels = InlineArray<36, UInt8>(repeating: 0)
    guard digits.count == levels.count else { return false }
    for index in digits.indices {
      guard let digit = digits[index].hexadecimalDigit else { return false }
      levels[index] = digit * 17
    }
    status.application = .hangulClock(HangulBoardLevels(levels))
    return true
  }

  /// A digit for each string, or `x`.
  private static func strings(_ digits: Span<UInt8>) -> InlineArray<6, Int8>? {
    guard digits.count == 6 else { return nil }
    var strings = InlineArray<6, Int8>(repeating: -1)
    for index in digits.indices where digits[index] != UInt8(ascii: "x") {
      guard let digit = digits[index].hexadecimalDigit else { return nil }
      strings[index] = Int8(digit)
    }
    return strings
  }

  private static func take<Value>(_ value: Value?, into place: inout Value) -> Bool {
    guard let value else { return false }
    place = value
    return true
  }

  private static func pair(_ list: Span<UInt8>) -> InlineArray<2, Float>? {
    guard let list = decimals(list), list.count == 2 else { return nil }
    return [list.values[0], list.values[1]]
  }

  /// Up to four numbers, separated by commas.
  private static func decimals(_ list: Span<UInt8>) -> (values: InlineArray<4, Float>, count: Int)? {
    var values = InlineArray<4, Float>(repeating: 0)
    var count = 0
    var start = 0
    for index in 0...list.count where index == list.count || list[index] == UInt8(ascii: ",") {
      guard count < 4, let value = list.extracting(start..<index).parseDecimal() else { return nil }
      values[count] = Float(value)
      count += 1
      start = index + 1
    }
    return (values, count)
  }
}
