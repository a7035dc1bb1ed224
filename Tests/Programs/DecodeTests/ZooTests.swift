import Base
import Foundation
import Machine
import MediaZoo
import TestSupport
import Testing
import Wire

/// Every common kind of file is decoded correctly, compared with ffmpeg.
@Suite struct ZooTests {
  private static let formats: [SampleFormat: Reference.SampleCoding] = [
    .int16: .int16, .int24: .int24, .float32: .float32,
  ]

  @Test(
    "every kind of file plays completely, every sample of it as ffmpeg decodes it",
    arguments: Cases.some(80, of: Specimen.all))
  func specimen(_ specimen: Specimen) throws {
    let path = try Zoo.shared.path(of: specimen)
    let reference = try Reference(path: path)
    expectWhatWentIn(reference, specimen)
    guard specimen.isLossless else { return try expectSame(path, reference, .float32, specimen.source) }
    // ffmpeg's samples were just found to equal the source's.
    let format: SampleFormat = specimen.source.bitsPerSample == 16 ? .int16 : .int24
    try expectSame(path, Reference(specimen.source), format, specimen.source)
  }

  @Test("our own takes play completely, bit for bit", arguments: OwnTake.all)
  func ownTake(_ take: OwnTake) throws {
    let path = try take.path()
    for (format, coding) in Self.formats where format == .float32 || path.hasSuffix("wav") == (format == .int16) {
      try expectSame(path, Reference(path: path, as: coding), format)
    }
  }

  /// Checks the specimens themselves.
  private func expectWhatWentIn(_ reference: Reference, _ specimen: Specimen) {
    if specimen.isLossless {
      #expect(reference.sampleRateHz == specimen.source.sampleRateHz)
      #expect(firstDifference(reference.samples, specimen.source.floatBytes()) == nil)
    } else {
      // An encoder's delay and padding remain if the format has no field for them, or if ffmpeg ignores it.
      let isAAC = specimen.name.hasSuffix(".aac") || specimen.name.hasSuffix(".m4a")
      let surplus = isAAC ? 3 * 1_024 / Double(specimen.source.sampleRateHz) : 0.05
      #expect(reference.seconds > specimen.source.seconds - 0.05)
      #expect(reference.seconds < specimen.source.seconds + surplus)
    }
  }

  private func expectSame(
    _ path: String, _ reference: Reference, _ sampleFormat: SampleFormat, _ source: Signal? = nil
  ) throws {
    let format = AudioFormat(
      sampleRateHz: UInt32(reference.sampleRateHz), channelCount: UInt16(reference.channelCount),
      sampleFormat: sampleFormat)
    let bench = try DecoderBench(format)
    let properties = try bench.open(path).get()
    // ffmpeg's result may be longer than the source if the file states that length: either is correct.
    let lengths = [reference.seconds, source?.seconds ?? reference.seconds]
    #expect(lengths.contains { abs(properties.durationSeconds - $0) <= 0.05 }, "\(properties.durationSeconds)")
    #expect(properties.sampleRateHz == format.sampleRateHz)
    #expect(properties.channelCount == format.channelCount)
    var heard: [UInt8] = []
    let (frameCount, hasEnded) = try bench.play { heard += $0 }
    #expect(hasEnded)
    #expect(abs(frameCount - Int(properties.frameCount)) <= reference.sampleRateHz / 20)
    #expect(lengths.contains { abs(Double(frameCount) / Double(reference.sampleRateHz) - $0) <= 0.05 })
    // A file may mark the end of its last packet as padding, which ffmpeg does not always honour.
    // ffmpeg also outputs the lookahead of a Speex encoder, which speexdec drops.
    let lead = path.hasSuffix(".spx") ? max(reference.samples.count - heard.count, 0) : 0
    let expected = reference.samples.dropFirst(lead)
    let common = min(heard.count, expected.count)
    let difference = firstDifference(heard.prefix(common), expected.prefix(common))
    // Codec 2 generates its noise, different each time.
    if path.hasSuffix("codec2") { return }
    guard let difference, sampleFormat == .float32 else {
      #expect(difference == nil, "the first differing byte")
      return
    }
    let decibels = signalToNoiseDecibels(expected.prefix(common), heard.prefix(common))
    #expect(decibels >= 100, "differs from byte \(difference) on")
  }

  @Test("a file without sound is refused within two seconds, with the right reason", arguments: BadFile.all)
  func bad(_ file: BadFile) throws {
    let path = try file.path()
    let bench = try DecoderBench(AudioFormat(sampleRateHz: 48_000, channelCount: 2, sampleFormat: .int16))
    let problem = try problem(of: path, bench)
    #expect(try bench.processorSeconds() < 2)
    #expect(problem.map(file.problems.contains) == true, "\(String(describing: problem))")
    #expect(try bench.lives())
  }

  @Test("a file without read permission is not opened", .enabled(if: geteuid() != 0, "the administrator may read all"))
  func locked() throws { try bad(BadFile.locked) }

  @Test(
    "a truncated file plays as far as it goes, or is refused within two seconds", arguments: BadFile.truncated)
  func truncated(_ file: BadFile) throws {
    let path = try file.path()
    let bench = try DecoderBench(AudioFormat(sampleRateHz: 44_100, channelCount: 2, sampleFormat: .int16))
    let problem = try problem(of: path, bench)
    #expect(try bench.processorSeconds() < 2)
    if let problem {
      #expect(file.problems.contains(problem))
    } else {
      let (frameCount, hasEnded) = try bench.play { _ in }
      #expect(hasEnded)
      #expect(Double(frameCount) / 44_100 < Signal.ordinary.seconds + 0.05)
    }
    #expect(try bench.lives())
  }

  /// Nil if it is opened.
  private func problem(of path: String, _ bench: DecoderBench) throws -> BadFile.Problem? {
    let answer: Result<ItemProperties, DecoderBench.Refusal>
    do { answer = try bench.open(path) } catch let failure as DeviceFailure where failure.device == .storage {
      return .notOpened
    }
    guard case .failure(let refusal) = answer else { return nil }
    return switch refusal.reason {
    case .empty: .empty
    case .unknownKind: .unknownKind
    case .noSound: .noSound
    case .unknownCodec: .unknownCodec
    case .damaged, .undescribed: .damaged
    case .unreadable, .tooSlow, .fatal: throw refusal
    }
  }
}
