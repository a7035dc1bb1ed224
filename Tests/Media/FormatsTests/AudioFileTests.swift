import Base
import Foundation
import Media
import TestSupport
import Testing

/// AIFF, CAF and WAV as seen by third-party programs.
@Suite struct AudioFileTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var container: AudioContainer
    var format: AudioFormat
    var frameCount = 9_001

    var testDescription: String {
      "\(container) \(format.sampleFormat), \(format.channelCount) channels, \(format.sampleRateHz) Hz"
    }

    /// ffmpeg's name for the samples in the file.
    var codec: String {
      let order = container.needsBigEndianSamples ? "be" : "le"
      return (format.sampleFormat == .float32 ? "pcm_f32" : "pcm_s\(format.sampleFormat.bitsPerSample)") + order
    }
  }

  static let cases: [Case] = [AudioContainer.aiff, .caf, .wav].flatMap { container in
    [SampleFormat.int16, .int24, .float32].flatMap { sampleFormat in
      [(1, 44_100), (2, sampleFormat == .int24 ? 192_000 : 48_000)].map { channels, rate in
        Case(
          container: container,
          format: AudioFormat(sampleRateHz: rate, channelCount: channels, sampleFormat: sampleFormat))
      }
    }
  }

  @Test("ffmpeg reads the format, the exact count and every sample, closed or open", arguments: cases)
  func ffmpeg(subject: Case) throws {
    let take = AudioTake(subject.container, subject.format, frameCount: subject.frameCount)
    for isFinished in [true, false] {
      try withFile(take.recorded(isFinished: isFinished), "\(subject.container.fileExtension)") { path in
        if isFinished { try expectFormat(Probe(path: path), subject) }
        let samples = try ForeignProgram.run(
          "ffmpeg",
          [
            "-v", "error", "-i", path, "-c:a", subject.codec, "-f", String(subject.codec.dropFirst(4)), "-",
          ])
        #expect(Array(samples) == take.data)
      }
    }
  }

  private func expectFormat(_ probe: Probe, _ subject: Case) {
    #expect(probe.format.formatName == "\(subject.container)")
    #expect(probe.audio?.codecName == subject.codec)
    #expect(probe.audio?.sampleRate == String(subject.format.sampleRateHz))
    #expect(probe.audio?.channels == Int(subject.format.channelCount))
    #expect(probe.audio?.durationTs == subject.frameCount)
  }

  @Test("libsndfile and mediainfo read the format and the exact count", arguments: cases)
  func libsndfileAndMediaInfo(subject: Case) throws {
    let take = AudioTake(subject.container, subject.format, frameCount: subject.frameCount)
    try withFile(take.recorded(isFinished: true), "\(subject.container.fileExtension)") { path in
      let text = try ForeignProgram.text("sndfile-info", [path])
      let fields = text.split(separator: "\n").map { $0.split(separator: ":").map { $0.trimmingPrefix(/\s+/) } }
      func field(_ name: String) -> String? {
        fields.last { $0.count > 1 && $0[0].hasPrefix(name) }.map { String($0[1]) }
      }
      #expect(field("Sample Rate") == String(subject.format.sampleRateHz))
      #expect(field("Frames") == String(subject.frameCount))
      #expect(field("Channels") == String(subject.format.channelCount))
      // RIFF has a zero byte after an odd data chunk; sndfile-info complains about that.
      let complaints = text.matches(of: /\*{3,}.*/).map { String($0.output) }
      #expect(complaints.allSatisfy { $0.hasPrefix("*** 'data' chunk should be an even number") })
      let audio = try #require(mediaInfo(path)["Audio"])
      #expect(audio["Format"] == "PCM")
      #expect(audio["SamplingRate"].flatMap(Double.init) == Double(subject.format.sampleRateHz))
      #expect(audio["Channels"] == String(subject.format.channelCount))
      #expect(audio["BitDepth"] == String(subject.format.sampleFormat.bitsPerSample))
    }
  }

  @Test("sox reads AIFF and WAV to the last sample", arguments: cases.filter { $0.container != .caf })
  func sox(subject: Case) throws {
    let take = AudioTake(subject.container, subject.format, frameCount: subject.frameCount)
    try withFile(take.recorded(isFinished: true), "\(subject.container.fileExtension)") { path in
      let encoding = subject.format.sampleFormat == .float32 ? "floating-point" : "signed-integer"
      let order = subject.container.needsBigEndianSamples ? "-B" : "-L"
      let bits = String(subject.format.sampleFormat.bitsPerSample)
      let samples = try ForeignProgram.run("sox", ["-D", path, "-t", "raw", "-e", encoding, "-b", bits, order, "-"])
      // sox computes in 32-bit integers, in which a float sample loses its last bits.
      if subject.format.sampleFormat == .float32 {
        #expect(samples.count == take.data.count)
      } else {
        #expect(Array(samples) == take.data)
      }
    }
  }

  @Test("date, device and software stand in each file")
  func provenance() throws {
    let format = AudioFormat(sampleRateHz: 48_000, channelCount: 2, sampleFormat: .int24)
    func tags(_ container: AudioContainer) throws -> [String: String] {
      let content = AudioTake(container, format, frameCount: 100).recorded(isFinished: true)
      return try withFile(content, "\(container.fileExtension)") { path in
        try #require(Probe(path: path).format.tags)
      }
    }
    let aiff = try tags(.aiff)
    #expect(
      aiff["comment"]
        == "device \(MovieTake.deviceText); recorded \(MovieTake.createdText)Z; software fieldcorder 0.1.0; ended: stopped    "
    )
    let caf = try tags(.caf)
    #expect(caf["recorded date"] == MovieTake.createdText + "Z")
    #expect(caf["encoding application"] == "fieldcorder 0.1.0")
    #expect(caf["org.fieldcorder.device"] == MovieTake.deviceText)
    let wav = try tags(.wav)
    // ffmpeg has its own names for the broadcast extension's originator, date and time.
    #expect(wav["encoded_by"] == "fieldcorder")
    #expect(wav["originator_reference"] == MovieTake.deviceText.filter { $0 != "-" })
    #expect(wav["date"] == "2026-11-21")
    #expect(wav["creation_time"] == "00:38:41")
    #expect(wav["time_reference"] == String((38 * 60 + 41) * 48_000))
    #expect(wav["encoder"] == "fieldcorder 0.1.0")
    #expect(wav["comment"] == "device \(MovieTake.deviceText); ended: stopped    ")
  }

  @Test("each format has a field for the interrupted take that it goes on with")
  func continuation() throws {
    let format = AudioFormat(sampleRateHz: 48_000, channelCount: 2, sampleFormat: .int24)
    for (container, field) in [
      (AudioContainer.aiff, "comment"), (.caf, "org.fieldcorder.continues"), (.wav, "comment"),
    ] {
      var provenance = MovieTake.provenance
      provenance.continues = "053921-0001.wav"
      let description = AudioFileDescription(container: container, format: format, provenance: provenance)
      let header = encoded(capacityByteCount: 4_096) { writer in
        description.encodeHeader(dataByteCount: 600, isOpen: false, into: &writer)
      }
      try withFile(header + [UInt8](repeating: 0, count: 600), "\(container.fileExtension)") { path in
        let tags = try #require(Probe(path: path).format.tags)
        #expect(try #require(tags[field]).contains("053921-0001.wav"), "\(container)")
      }
    }
  }

  @Test(
    "from 4 GiB on a WAV is an RF64 that ffprobe and libsndfile read to the end",
    arguments: [(UInt64(0xFFFF_FFFF) - 1_023 - 4, "RIFF"), (UInt64(0xFFFF_FFFF) + 1, "RF64"), (6_000_000_000, "RF64")])
  func rf64(dataByteCount: UInt64, form: String) throws {
    let format = AudioFormat(sampleRateHz: 48_000, channelCount: 2, sampleFormat: .int16)
    let whole = dataByteCount - dataByteCount % 4
    let take = AudioTake(.wav, format, frameCount: 0)
    let header = take.header(dataByteCount: Int(whole), isOpen: false)
    #expect(String(decoding: header[..<4], as: UTF8.self) == form)
    try withFile(header, "wav") { path in
      var file = try DiskFile(path: path)
      try file.truncate(to: UInt64(header.count) + whole)
      #expect(try repair(&file) == .alreadyWhole(dataByteCount: whole))
      let probe = try ForeignProgram.text(
        "ffprobe", ["-v", "error", "-show_entries", "stream=duration_ts", "-of", "csv=p=0", path])
      #expect(probe == "\(whole / 4)")
      let text = try ForeignProgram.text("sndfile-info", [path])
      #expect(text.firstMatch(of: /Frames +: (\d+)/).map { String($0.1) } == String(whole / 4))
    }
  }

  @Test(
    "libsndfile and sox read a file that is still open up to what its header counts",
    arguments: [AudioContainer.aiff, .caf, .wav])
  func stillOpen(container: AudioContainer) throws {
    let format = AudioFormat(sampleRateHz: 48_000, channelCount: 2, sampleFormat: .int16)
    let take = AudioTake(container, format, frameCount: 1_000)
    // A quarter of it was written after the header.
    let content = take.header(dataByteCount: 3_000, isOpen: true) + take.data
    try withFile(content, "\(container.fileExtension)") { path in
      #expect(try ForeignProgram.text("soxi", ["-s", path]) == "750")
      let text = try ForeignProgram.text("sndfile-info", [path])
      #expect(text.firstMatch(of: /Frames +: (\d+)/).map { String($0.1) } == "750")
    }
  }

  @Test("AIFF ends where its 32-bit sizes do")
  func aiffLimit() {
    let format = AudioFormat(sampleRateHz: 44_100, channelCount: 1, sampleFormat: .int24)
    let take = AudioTake(.aiff, format, frameCount: 0)
    let limit = AudioContainer.aiff.maximumDataByteCount
    let header = take.header(dataByteCount: Int(limit), isOpen: true)
    let size = header[4..<8].reduce(0) { $0 << 8 | UInt64($1) }
    #expect(size + 8 == UInt64(AudioFileDescription.headerByteCount) + limit + limit % 2)
    #expect(size <= UInt64(UInt32.max))
  }

  @Test("headers with the longest software name have the one length too", arguments: cases)
  func headerLength(subject: Case) {
    var provenance = Provenance(
      device: MovieTake.provenance.device, createdUnixSeconds: 0,
      software: "0123456789012345678901234567890123456789012345678901234567890123")
    provenance.continues = "01234567890123456789012345678901"
    let description = AudioFileDescription(
      container: subject.container, format: subject.format, provenance: provenance)
    let header = encoded(capacityByteCount: 4_096) { writer in
      description.encodeHeader(dataByteCount: 0, isOpen: true, into: &writer)
    }
    #expect(header.count == AudioFileDescription.headerByteCount)
  }

  @Test("the date of a WAV that says it has no sample rate can be corrected")
  func correctsDateWithoutRate() throws {
    let description = AudioFileDescription(
      container: .wav, format: AudioFormat(sampleRateHz: 8_000, channelCount: 1, sampleFormat: .int16),
      provenance: MovieTake.provenance)
    var header = encoded(capacityByteCount: 1_024) {
      description.encodeHeader(dataByteCount: 0, isOpen: false, into: &$0)
    }
    let format = try #require(header.indices.first { header[$0...].starts(with: "fmt ".utf8) })
    for index in 12..<16 { header[format + index] = 0 }
    var file = MemoryFile(content: header)
    let old = Int64(MovieTake.provenance.createdUnixSeconds)
    var scratch = [UInt8](repeating: 0, count: DateCorrection.scratchByteCount)
    var span = scratch.mutableSpan
    var bytes = unsafe span.mutableBytes
    #expect(DateCorrection(from: old, to: old + 86_400).correct(audio: &file, scratch: &bytes))
    #expect(file.content.count == header.count && file.content != header)
  }

  @Test(
    "WAV of one or two channels has the older form of its format, which stands before what only some readers know",
    arguments: [
      (UInt16(1), SampleFormat.int16, UInt16(1)), (2, .int24, 1), (1, .int24, 1), (3, .int16, 0xFFFE),
      (2, .float32, 3), (3, .float32, 0xFFFE),
    ])
  func plainWaveFormat(channelCount: UInt16, sampleFormat: SampleFormat, tag: UInt16) throws {
    let description = AudioFileDescription(
      container: .wav,
      format: AudioFormat(sampleRateHz: 48_000, channelCount: channelCount, sampleFormat: sampleFormat),
      provenance: MovieTake.provenance)
    let header = encoded(capacityByteCount: 1_024) {
      description.encodeHeader(dataByteCount: 0, isOpen: false, into: &$0)
    }
    func place(_ chunk: String) throws -> Int {
      try #require(header.indices.first { header[$0...].starts(with: chunk.utf8) })
    }
    #expect(try place("fmt ") < place("bext"))
    let format = try place("fmt ") + 8
    #expect(UInt16(header[format]) | UInt16(header[format + 1]) << 8 == tag)
  }
}
