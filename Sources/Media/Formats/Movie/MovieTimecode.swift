import Base

/// What the closing part of a finished movie depends on, besides its ledger.
package struct MovieEnd: BitwiseCopyable, Sendable {
  var start: MovieStart
  /// Of the first picture, in seconds since 1904-01-01 UTC.
  var created: UInt64
  /// At least 1.
  var timescale: UInt32
  var durationTicks: UInt64
  var pictureCount: UInt64
  /// Where the ledger goes in the file, without chapters.
  package var offset: UInt64
  /// Of sound and pictures.
  var trackCount: Int
}

/// What a growing movie says for its end, in the space beside its metadata.
struct MovieStart: BitwiseCopyable, Sendable {
  /// The camera's nominal rate; 0 without pictures, and in takes of earlier versions.
  var frameRate = FrameRate(frames: 0)
  /// How much later than its date it begins, 0…999.
  var milliseconds: UInt32 = 0

  static var code: FourCharacterCode { "rate" }
  static var byteCount: Int { 16 }

  init() {}

  /// - Parameter start: where it is in `bytes`.
  init(_ bytes: RawSpan, at start: Int) {
    guard bytes.code(at: start) == Self.code, let frames = bytes.big32(at: start + 4),
      let seconds = bytes.big32(at: start + 8), let milliseconds = bytes.big32(at: start + 12)
    else { return }
    frameRate = FrameRate(frames: frames, seconds: seconds)
    self.milliseconds = min(milliseconds, 999)
  }
}

extension MovieDescription {
  func encodeStart(into writer: inout ByteWriter) {
    let rate = video?.format.frameRate ?? FrameRate(frames: 0)
    writer.code(MovieStart.code)
    writer.big32(rate.frames)
    writer.big32(rate.seconds)
    writer.big32(UInt32(clamping: UInt64(provenance.createdFrames) * 1000 / UInt64(timescale)))
  }
}

/// The timecode of a movie's first picture, and how it counts: what was heard, or else the time of day.
struct MovieTimecode: BitwiseCopyable {
  /// Frames in so many thousandths of a second of time, and in a second of timecode.
  var framesPerSecond: UInt32
  var milliseconds: UInt32
  var isDrop: Bool
  /// Frames since midnight.
  var number: UInt32 = 0
  /// Its date if it is the time of day, in seconds since 1904-01-01 UTC; 0 otherwise.
  var created: UInt64 = 0
  var startMilliseconds: UInt32 = 0

  /// The size of its track and what follows: 404 with 64-bit dates, 104 for the tables, 32 + 8, and 60 to spare.
  static var byteCount: Int { 608 }
  /// The size of the box after the track, in which its only sample is.
  static var boxByteCount: Int { 36 }
  static var code: FourCharacterCode { "tmcd" }

  init(_ end: MovieEnd, _ facts: borrowing LedgerFacts) {
    if let (heard, frame) = facts.firstTimecode {
      framesPerSecond = UInt32(heard.rate.framesPerSecond)
      milliseconds = UInt32(heard.rate.secondsPerThousandFrames)
      isDrop = heard.rate.isDrop
      let day = heard.rate.framesPerDay
      let samplesPerFrame = Double(end.timescale) / heard.rate.hertz
      // Of a day at any rate; a damaged ledger may name a later one. Frames need not begin with a sample, so half a one is
      // allowed for.
      let distance = (Double(heard.samples) - Double(min(frame, 1 << 40)) + 0.5) / samplesPerFrame
      number = UInt32(((heard.number + Int(distance.rounded(.down))) % day + day) % day)
      return
    }
    var hertz = end.start.frameRate.framesPerSecond
    if hertz == 0 || facts.isLapse {
      hertz = Double(end.pictureCount) * Double(end.timescale) / Double(max(end.durationTicks, 1))
    }
    framesPerSecond = hertz < 0.5 ? 30 : UInt32(min(hertz, 120).rounded())
    let isSlow = framesPerSecond % 6 == 0 && abs(hertz * 1.001 / Double(framesPerSecond) - 1) < 0.0003
    milliseconds = isSlow ? 1001 : 1000
    isDrop = Self.isDrop(framesPerSecond, milliseconds)
    created = end.created
    startMilliseconds = end.start.milliseconds
    count()
  }

  /// What a finished movie has, from the box after its track; nil for another box, or if it is no time of day.
  init?(_ box: RawSpan) {
    guard box.byteCount == Self.boxByteCount, box.code(at: 8) == Self.code, let number = box.big32(at: 12),
      let created = box.big64(at: 16), created > 0, let startMilliseconds = box.big32(at: 24),
      let framesPerSecond = box.big32(at: 28), framesPerSecond > 0, let milliseconds = box.big32(at: 32)
    else { return nil }
    self.number = number
    self.created = created
    self.startMilliseconds = min(startMilliseconds, 999)
    self.framesPerSecond = min(framesPerSecond, 120)
    self.milliseconds = milliseconds
    isDrop = Self.isDrop(self.framesPerSecond, milliseconds)
  }

  /// Of the time of day: with it, timecode at 29.97 and 59.94 keeps up with that.
  private static func isDrop(_ framesPerSecond: UInt32, _ milliseconds: UInt32) -> Bool {
    milliseconds == 1001 && (framesPerSecond == 30 || framesPerSecond == 60)
  }

  /// Makes the number that of the time of day. Without drop-frame it shows that time, however slowly it counts then.
  mutating func count() {
    let day = UInt64(created % 86_400) * 1000 + UInt64(startMilliseconds)
    number = UInt32(day * UInt64(framesPerSecond) / (isDrop ? 1001 : 1000))
  }

  /// Writes the track (QTFF, "Timecode Media"), and after it a box that players skip, with its sample and with what is
  /// needed to correct the date.
  func encode(_ end: MovieEnd, in movie: MovieDescription, into writer: inout ByteWriter) {
    movie.encodeTrack(.timecode, Self.code, sampleCount: 1, offset: end.offset, into: &writer) { writer in
      // QTFF, "Timecode Media Information Atom": in a font that players choose, 12 points, white on black.
      writer.fullBox("tcmi") { writer in
        writer.zeros(4)
        writer.big16(12)
        writer.zeros(8)
        for _ in 0..<3 { writer.big16(0xFFFF) }
        writer.byte(0)
      }
    } entry: { writer in
      // It counts 24 hours.
      writer.zeros(4)
      writer.big32(isDrop ? 3 : 2)
      writer.big32(framesPerSecond * 1000)
      writer.big32(milliseconds)
      writer.byte(UInt8(framesPerSecond))
      writer.byte(0)
    } tables: { writer in
      writer.fullBox("stts") { writer in
        writer.big64(1 << 32 | 1)
        writer.big32(UInt32(clamping: end.durationTicks))
      }
      writer.fullBox("stsz") { writer in writer.big64(4 << 32 | 1) }
    }
    encodeBox(into: &writer)
  }

  func encodeBox(into writer: inout ByteWriter) {
    writer.box("free") { writer in
      writer.code(Self.code)
      writer.big32(number)
      writer.big64(created)
      writer.big32(startMilliseconds)
      writer.big32(framesPerSecond)
      writer.big32(milliseconds)
    }
  }

  /// The size of what each track of sound and pictures has at its end, without chapters.
  static var referenceByteCount: UInt64 { 8 + entryByteCount }
  static var entryByteCount: UInt64 { 12 }

  /// The same for the closing part of a movie; 0 if that has no tracks.
  static func referenceByteCount(_ closing: RawSpan) -> UInt64 {
    var byteCount: UInt64 = 8
    var rest = 0..<closing.byteCount
    while let box = closing.box(in: rest) {
      if box.type == "trak" { byteCount += entryByteCount }
      rest = box.end..<rest.upperBound
    }
    return byteCount > 8 ? byteCount : 0
  }

  /// QTFF, "Track Reference Atoms".
  static func encodeReference(_ byteCount: UInt64, into writer: inout ByteWriter) {
    writer.box("tref") { writer in
      writer.box(code) { writer in writer.big32(MovieTrack.timecode.rawValue) }
      guard byteCount > referenceByteCount else { return }
      writer.box("chap") { writer in writer.big32(MovieTrack.chapters.rawValue) }
    }
  }
}

extension MovieDescription {
  /// What the tracks of a closing part need.
  init(_ end: MovieEnd) {
    self.init(
      video: nil, audio: AudioFormat(sampleRateHz: end.timescale, channelCount: 1, sampleFormat: .int16),
      orientation: .landscapeLeft,
      provenance: Provenance(
        device: DeviceIdentity(high: 0, low: 0),
        createdUnixSeconds: max(end.created, Self.secondsFrom1904To1970) - Self.secondsFrom1904To1970, software: ""))
    durationTicks = end.durationTicks
  }

  /// Writes the marks as chapters: a text track (QTFF, "Chapter Lists"), and a box with its samples. The first has no text
  /// and lasts up to the first mark: VLC and others ignore an edit that begins a track later. None in a time lapse, whose
  /// time is not that of its marks.
  func encodeChapters(_ facts: borrowing LedgerFacts, _ end: inout MovieEnd, into writer: inout ByteWriter) {
    // Besides its tables this track is no longer than that of the timecode.
    let room = writer.freeByteCount - 2 * MovieTimecode.byteCount
    let count = facts.markCount(within: room, overhead: 8 + 4 + 2 + 12)
    guard count > 0, !facts.isLapse else { return }
    end.offset += UInt64(end.trackCount) * MovieTimecode.entryByteCount
    let sampleCount = count + 1
    var (times, sizes) = (0, 0)
    encodeTrack(.chapters, "text", sampleCount: sampleCount, offset: end.offset, into: &writer) { writer in
      Self.encodeMatrix(.upright, into: &writer)
    } entry: { writer in
      writer.zeros(44)
    } tables: { writer in
      writer.fullBox("stts") { writer in
        writer.big32(sampleCount)
        times = writer.byteCount
        writer.zeros(8 * Int(sampleCount))
      }
      writer.fullBox("stsz") { writer in
        writer.big32(0)
        writer.big32(sampleCount)
        sizes = writer.byteCount
        writer.zeros(4 * Int(sampleCount))
      }
    }
    writer.box("free") { writer in
      writer.code("text")
      var mark = LedgerMark()
      var position: UInt64 = 0
      for index in 0..<Int(sampleCount) {
        let start = writer.byteCount
        writer.big16(UInt16(mark.label.byteCount))
        writer.text(mark.label)
        // UTF-8.
        writer.box("encd") { writer in writer.big32(0x100) }
        writer.patchBig32(UInt32(writer.byteCount - start), at: sizes + 4 * index)
        let next = mark.number < count && facts.goToNext(&mark) ? mark.frame : end.durationTicks
        // No sample may have no length.
        let ticks = max(next, position + 1) - position
        position += ticks
        writer.patchBig32(1, at: times + 8 * index)
        writer.patchBig32(UInt32(clamping: ticks), at: times + 8 * index + 4)
      }
    }
  }
}
