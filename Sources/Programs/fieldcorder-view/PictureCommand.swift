import Base
import CLinux
import Drawing
import Machine
import Wire

/// `--picture`: draws one view into a file.
enum PictureCommand {
  private static let longestSide = 4096

  static func run(_ words: inout ArgumentList) -> Int32 {
    guard let output: FixedText<256> = words.next(), let width = words.number(1...longestSide),
      let height = words.number(1...longestSide), let framing: Framing = words.choice(),
      let mounting: Mounting = words.choice(), let input: FixedText<256> = words.next()
    else {
      return ViewProgram.refuse("--picture OUTPUT WIDTH HEIGHT fit|fill built-in|standing JPEG|none [KEY=VALUE...]")
    }
    var settings = PictureSettings()
    while let word: FixedText<256> = words.next() {
      guard settings.set(word.bytes) else { return ViewProgram.refuse("a key of --picture has no such value") }
    }
    let size = PixelSize(width: width, height: height)
    return draw(input, settings, size: size, framing, mounting, into: output)
  }

  private static func draw(
    _ input: FixedText<256>, _ settings: PictureSettings, size: PixelSize, _ framing: Framing, _ mounting: Mounting,
    into output: FixedText<256>
  ) -> Int32 {
    let shown = settings.shown
    let largest = PixelSize(width: longestSide, height: longestSide)
    let side = max(size.width, size.height)
    var memory = unsafe BootMemory(source: lockedPages)
    guard var source = PictureSource(largest: largest, in: &memory), let lettering = Lettering(in: &memory),
      var painter = ViewPainter(
        framing: framing, mounting: mounting, lettering, longestPictureLine: longestSide, longestCanvasSide: side,
        in: &memory),
      let pixels = unsafe memory.cut(byteCount: size.width * size.height * 4)
    else { return ViewProgram.fail("there is no memory") }
    FontFiles.add(to: lettering, chosen: settings.font) { StandardStreams.complain($0) }
    guard input == "none" || source.read({ buffer in read(input, into: &buffer) }, for: largest) else {
      return ViewProgram.refuse("the picture is not a readable JPEG")
    }
    let span = unsafe MutableSpan<UInt32>(_unsafeElements: pixels.bindMemory(to: UInt32.self))
    guard var canvas = Canvas(span, size: size, pixelsPerLine: size.width) else { return ExitStatus.failed }
    // An application does not show the camera's picture.
    if shown.showsPicture {
      painter.paint(source.picture, artwork: nil, shown, onto: &canvas)
    } else {
      painter.paint(nil, artwork: source.picture, shown, onto: &canvas)
    }
    return unsafe write(pixels, size, to: output) ? ExitStatus.done : ViewProgram.fail("cannot write")
  }

  /// - Returns: how many bytes of the file fit; 0 if it cannot be read.
  private static func read(_ path: FixedText<256>, into buffer: inout MutableRawSpan) -> Int {
    guard let file = FileDescriptor(path: path, flags: O_RDONLY) else { return 0 }
    var byteCount = 0
    while byteCount < buffer.byteCount {
      let count = unsafe buffer.withUnsafeMutableBytes { buffer in
        retryingWhenInterrupted {
          unsafe CLinux.read(file.number, buffer.baseAddress! + byteCount, buffer.count - byteCount)
        }
      }
      guard count > 0 else { break }
      byteCount += count
    }
    return byteCount
  }

  /// Writes PPM (netpbm's portable pixmap, P6): the pixels are converted to red, green and blue in place.
  private static func write(_ pixels: UnsafeMutableRawBufferPointer, _ size: PixelSize, to path: FixedText<256>) -> Bool
  {
    let count = size.width * size.height
    for index in 0..<count {
      let pixel = unsafe pixels.load(fromByteOffset: index * 4, as: UInt32.self)
      unsafe pixels.storeBytes(of: UInt8(truncatingIfNeeded: pixel >> 16), toByteOffset: index * 3, as: UInt8.self)
      unsafe pixels.storeBytes(of: UInt8(truncatingIfNeeded: pixel >> 8), toByteOffset: index * 3 + 1, as: UInt8.self)
      unsafe pixels.storeBytes(of: UInt8(truncatingIfNeeded: pixel), toByteOffset: index * 3 + 2, as: UInt8.self)
    }
    guard let file = FileDescriptor(path: path, flags: O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644) else { return false }
    let header: FixedText<64> = "P6\n\(size.width) \(size.height)\n255\n"
    let headerCount = unsafe header.bytes.withUnsafeBufferPointer {
      unsafe CLinux.write(file.number, $0.baseAddress, $0.count)
    }
    return unsafe headerCount == header.byteCount
      && CLinux.write(file.number, pixels.baseAddress, count * 3) == count * 3
  }
}

/// What `--picture` shows, set by words such as `zoom=2.5`.
struct PictureSettings {
  private var status = ViewStatus()
  private(set) var font: FixedText<64>?
  /// The peaks that the meters hold; nil for those of the status.
  private var heldDecibels: InlineArray<2, Float>?
  private var chord = ChordReading(name: "", frets: .init(repeating: 0), fingers: .init(repeating: 0))

  /// The status, as if it followed one with the held peaks.
  var shown: ShownStatus {
    var earlier = status
    earlier.peakDecibels = heldDecibels ?? status.peakDecibels
    earlier.clipCounts = [0, 0]
    var hold = MeterHold()
    hold.follow(earlier, at: 0)
    hold.follow(status, at: 1)
    return ShownStatus(status, hold)
  }

  /// - Returns: false if the key or the value is invalid.
  mutating func set(_ word: Span<UInt8>) -> Bool {
    setNumber(word) || setList(word) || setPlayer(word) || setApplication(word)
      || setChord(word) || setFont(word)
  }

  private mutating func setFont(_ word: Span<UInt8>) -> Bool {
    guard let value = word.removingPrefix("font=") else { return false }
    font = FixedText(value)
    return true
  }

  private mutating func setNumber(_ word: Span<UInt8>) -> Bool {
    if let value = word.removingPrefix("recording=") {
      status.isRecording = true
      return Self.take(value.parseInteger(), into: &status.takeMilliseconds)
    }
    if let value = word.removingPrefix("battery=") {
      return Self.take(value.parseInteger(as: UInt8.self).map { .some($0) }, into: &status.batteryPercent)
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
