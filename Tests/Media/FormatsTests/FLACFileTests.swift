import Base
import Foundation
import Media
import TestSupport
import Testing

/// FLAC as other programs decode it.
@Suite struct FLACFileTests {
  enum Sound: CaseIterable, Sendable {
    case silence, noise, square, wasted, quiet, impulses
    /// A full wave opposite in every other channel, so that the side needs a bit more and foreseen samples are largest.
    case wave
    /// Tones above coloured noise.
    case birds
  }

  struct Case: CustomTestStringConvertible, Sendable {
    var sound: Sound
    var format: AudioFormat
    var frameCount: Int
    var testDescription: String {
      "\(sound), \(format.sampleFormat), \(format.channelCount) channels, \(format.sampleRateHz) Hz, \(frameCount)"
    }
  }

  static let cases: [Case] = Sound.allCases.flatMap { sound in
    [SampleFormat.int16, .int24].flatMap { sampleFormat in
      [(1, 8_000, 1), (2, 44_100, 9_001), (8, 96_000, 4_097), (3, 12_345, 17), (2, 192_000, 4_096)].map {
        Case(
          sound: sound,
          format: AudioFormat(sampleRateHz: $1, channelCount: $0, sampleFormat: sampleFormat), frameCount: $2)
      }
    }
  }

  @Test("flac and ffmpeg decode every sample", arguments: Cases.some(30, of: cases))
  func decodes(subject: Case) throws {
    let take = try FLACTake(subject.sound, subject.format, frameCount: subject.frameCount)
    let raw = ["--force-raw-format", "--endian=little", "--sign=signed"]
    for isFinished in [true, false] {
      var file = MemoryFile()
      take.record(to: &file, isFinished: isFinished)
      try withFile(file.content, "flac") { path in
        try ForeignProgram.run("flac", ["-s", "-t", path])
        #expect(try ForeignProgram.run("flac", ["-s", "-d", "-c"] + raw + [path]) == take.data)
        let kind = subject.format.sampleFormat == .int16 ? "s16le" : "s24le"
        let samples = try ForeignProgram.run("ffmpeg", ["-v", "error", "-i", path, "-f", kind, "-"])
        #expect(samples == take.data)
      }
    }
  }

  @Test(
    "frames are as small as those of flac -5, within a fiftieth", arguments: [Sound.birds, .quiet, .noise, .wave],
    [SampleFormat.int16, .int24])
  func size(sound: Sound, sampleFormat: SampleFormat) throws {
    let format = AudioFormat(sampleRateHz: 48_000, channelCount: 2, sampleFormat: sampleFormat)
    let take = try FLACTake(sound, format, frameCount: 40_960)
    let raw = [
      "--force-raw-format", "--endian=little", "--sign=signed", "--channels=2", "--sample-rate=48000",
      "--bps=\(sampleFormat.bitsPerSample)",
    ]
    let other = try withFile(take.data, "raw") { path in
      try ForeignProgram.run("flac", ["-s", "-5", "--no-padding", "--no-seektable", "-c"] + raw + [path])
    }
    let byteCount = take.frames.reduce(0) { $0 + $1.count }
    #expect(byteCount * 50 < other.count * 51, "\(byteCount) bytes instead of \(other.count)")
  }

  @Test("of a file that is cut at any byte every whole frame stays, and flac accepts it", arguments: [1, 2])
  func everyByte(channelCount: UInt16) throws {
    let format = AudioFormat(sampleRateHz: 8_000, channelCount: channelCount, sampleFormat: .int16)
    let take = try FLACTake(.quiet, format, frameCount: 14_000)
    var file = MemoryFile()
    take.record(to: &file, isFinished: false, countsLast: false)
    let content = file.content
    for end in stride(from: FLACTake.dataStart, through: content.count, by: 1) {
      var cut = MemoryFile(content: Array(content[..<end]))
      let outcome = repair(&cut)
      let whole = max(take.frameEnds.last { $0 <= end } ?? FLACTake.dataStart, take.countedEnd)
      guard end >= take.countedEnd else { continue }
      #expect(cut.content.count == whole, "cut at \(end)")
      #expect(outcome != .foreign)
      guard end % 499 == 0, whole > FLACTake.dataStart else { continue }
      _ = try withFile(cut.content, "flac") { path in try ForeignProgram.run("flac", ["-s", "-t", path]) }
    }
  }

  @Test(
    "zeros of a sector that a disk kept without its bytes are cut off, and no frame that was counted with them",
    arguments: [0, 2, 3, 100, 511])
  func zerosBehind(zeroCount: Int) throws {
    let format = AudioFormat(sampleRateHz: 8_000, channelCount: 1, sampleFormat: .int16)
    let take = try FLACTake(.quiet, format, frameCount: 1_200_000)
    var file = MemoryFile()
    take.record(to: &file, isFinished: false, countsLast: false)
    // The header counts two frames. Some checksums end with a zero, too.
    let indices = take.frames.indices.dropFirst().filter { $0 < 8 || take.frames[$0].last == 0 }
    #expect(indices.count > 7)
    for index in indices {
      var cut = MemoryFile(
        content: Array(file.content[..<take.frameEnds[index]]) + [UInt8](repeating: 0, count: zeroCount))
      _ = repair(&cut)
      let isKept = zeroCount == 0 || index == 1
      #expect(cut.content.count == take.frameEnds[isKept ? index : index - 1], "frame \(index)")
    }
  }

  @Test("while a file is being completed it can be read at every moment")
  func completing() throws {
    let format = AudioFormat(sampleRateHz: 48_000, channelCount: 2, sampleFormat: .int24)
    let take = try FLACTake(.quiet, format, frameCount: 20_000)
    var open = MemoryFile()
    take.record(to: &open, isFinished: false)
    let openCount = open.operations.count
    var file = MemoryFile()
    take.record(to: &file, isFinished: true)
    var state = open.content
    for operation in file.operations.dropFirst(openCount) {
      operation.apply(to: &state)
      _ = try withFile(state, "flac") { path in try ForeignProgram.run("flac", ["-s", "-t", path]) }
    }
  }

  @Test("metaflac lists the ledger, and a place to seek to for each frame; ffprobe finds the marks")
  func metadata() throws {
    let format = AudioFormat(sampleRateHz: 48_000, channelCount: 1, sampleFormat: .int16)
    let take = try FLACTake(.noise, format, frameCount: 20_000)
    var file = MemoryFile()
    take.record(to: &file, isFinished: true)
    try withFile(file.content, "flac") { path in
      let list = try ForeignProgram.text("metaflac", ["--list", path])
      #expect(list.contains("seek points: 5"))
      #expect(list.contains("COMMENT=device "))
      #expect(list.contains("title=12A"))
      let chapters = try ForeignProgram.text("ffprobe", ["-v", "error", "-show_chapters", path])
      #expect(chapters.contains("start_time=0.100000"))
      #expect(chapters.contains("TAG:title=owl"))
    }
  }
}

/// A take in FLAC as the recorder writes it, every sample known.
private struct FLACTake {
  static let dataStart = 131_072
  let description: AudioFileDescription
  let data: [UInt8]
  private(set) var frames: [[UInt8]] = []
  /// Where each frame ends in the file.
  private(set) var frameEnds: [Int] = []

  /// What the header counts if the last fragment is not counted yet.
  var countedEnd: Int { frameEnds.count > 2 ? frameEnds[1] : Self.dataStart }

  init(_ sound: FLACFileTests.Sound, _ format: AudioFormat, frameCount: Int) throws {
    description = AudioFileDescription(container: .flac, format: format, provenance: MovieTake.provenance)
    var generator = SeededGenerator(seed: 7)
    let width = format.sampleFormat.bitsPerSample
    let full = 1 << (width - 1)
    var colour = 0.0
    data = (0..<frameCount * Int(format.channelCount)).flatMap { place in
      let index = place / Int(format.channelCount)
      let sample =
        switch sound {
        case .silence: 0
        case .noise: Int.random(in: -full..<full, using: &generator)
        case .square: index / 20 % 2 == 0 ? full - 1 : -full
        case .wasted: Int.random(in: -full / 64..<full / 64, using: &generator) * 64
        case .quiet: Int.random(in: -20..<20, using: &generator) + index % 100 * 50
        case .impulses: index % 997 == 0 ? full - 1 : 0
        case .wave: (place % Int(format.channelCount)) % 2 == 0 ? Self.wave(index, full) : -Self.wave(index, full)
        case .birds: Self.birds(index, full, &colour, &generator)
        }
      return (0..<width / 8).map { UInt8(truncatingIfNeeded: sample >> (8 * $0)) }
    }
    var memory = leakedBootMemory()
    guard var encoder = FLACEncoder(in: &memory) else { throw ForeignProgram.Failure(description: "no memory") }
    let blockByteCount = FLACFormat.blockFrames * format.bytesPerFrame
    var end = Self.dataStart
    for (number, start) in stride(from: 0, to: data.count, by: blockByteCount).enumerated() {
      encoder.begin(format)
      let block = Array(data[start..<min(start + blockByteCount, data.count)])
      unsafe encoder.add(block.span.bytes)
      encoder.finish(number: UInt64(number))
      frames.append(array(encoder.bytes))
      end += frames[number].count
      frameEnds.append(end)
    }
  }

  private static func wave(_ index: Int, _ full: Int) -> Int {
    Int(sin(Double(index) / 50) * Double(full - 1))
  }

  private static func birds(
    _ index: Int, _ full: Int, _ colour: inout Double, _ generator: inout SeededGenerator
  ) -> Int {
    colour = 0.95 * colour + Double.random(in: -0.004..<0.004, using: &generator)
    let time = Double(index) / 48_000
    let call = index % 9_000 < 4_000 ? 0.2 * sin(2 * .pi * time * (3_000 + 20_000 * time)) : 0
    return Int((colour + call) * Double(full))
  }

  /// - Parameter countsLast: whether the header counts all frames, or two.
  func record(to file: inout MemoryFile, isFinished: Bool, countsLast: Bool = true) {
    file.write(header(frameCount: 0), at: 0)
    file.write([UInt8](repeating: 0, count: Self.dataStart - 1_024), at: 1_024)
    var end = Self.dataStart
    for frame in frames {
      file.write(frame, at: end)
      end += frame.count
    }
    file.synchronise()
    file.write(header(frameCount: countsLast ? frames.count : frames.count > 2 ? 2 : 0), at: 0)
    guard isFinished else { return }
    let ledger = ledger()
    withScratch(byteCount: 65_536) { scratch in
      var hashes = HashList<MemoryFile>(source: nil)
      AudioClosing.close(
        &file, description, ending: .stopped, dataByteCount: UInt64(end - Self.dataStart),
        ledger: unsafe ledger.span.bytes, &hashes, scratch: &scratch)
    }
  }

  private func header(frameCount: Int) -> [UInt8] {
    let end = frameCount == 0 ? Self.dataStart : frameEnds[frameCount - 1]
    var header = encoded(capacityByteCount: AudioFileDescription.headerByteCount) { writer in
      description.encodeHeader(dataByteCount: UInt64(end - Self.dataStart), isOpen: true, into: &writer)
    }
    let counted = min(frameCount * FLACFormat.blockFrames * description.format.bytesPerFrame, data.count)
    var digest = MD5()
    let sound = Array(data[..<counted])
    unsafe digest.add(sound.span.bytes)
    var elements = header.mutableSpan
    var bytes = unsafe elements.mutableBytes
    FLACInformation.store(
      sampleFrames: UInt64(counted / description.format.bytesPerFrame), digest: digest.digest, into: &bytes)
    return header
  }

  private func ledger() -> [UInt8] {
    let line = description.provenance.line
    let head = String(decoding: (0..<line.byteCount).map { line.bytes[$0] }, as: UTF8.self)
    let text =
      head + "\n0:00:00.100 sample 4800 09:30:00.100 mark: owl\n0:00:00.100 sample 4800 09:30:00.100 scene: 12A\n"
      + "ended: stopped\n"
    let header = header(frameCount: frames.count)
    return encoded(capacityByteCount: LedgerCoding.codedByteCount) { writer in
      LedgerCoding.encodeAudio(
        Array(text.utf8).span, in: .flac, header: unsafe header.span.bytes,
        dataByteCount: UInt64((frameEnds.last ?? Self.dataStart) - Self.dataStart), into: &writer)
    }
  }
}
