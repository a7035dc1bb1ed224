import Foundation

/// The content of the zoo's files: a sine in each channel, a little noise and a click each half second, as a function
/// of the sample's number. Nothing in it repeats, so a lost, doubled or displaced part is noticed.
package struct Signal: Hashable, Sendable {
  /// Sample frames per second.
  package var sampleRateHz: Int
  /// Channels.
  package var channelCount: Int
  /// 16 or 24: how many bits of each sample are used.
  package var bitsPerSample: Int
  /// Sample frames.
  package var frameCount: Int
  /// Whether there are only the sines, at half of full scale, without noise and clicks.
  package var isPureSine: Bool

  /// A signal. The default length is a little over two seconds; at 44.1 kHz that leaves most of the last block of 4,096
  /// empty.
  package init(
    sampleRateHz: Int = 44_100, channelCount: Int = 2, bitsPerSample: Int = 16, frameCount: Int? = nil,
    isPureSine: Bool = false
  ) {
    self.sampleRateHz = sampleRateHz
    self.channelCount = channelCount
    self.bitsPerSample = bitsPerSample
    self.frameCount = frameCount ?? 2 * sampleRateHz + 1_937
    self.isPureSine = isPureSine
  }

  /// Duration in seconds.
  package var seconds: Double { Double(frameCount) / Double(sampleRateHz) }

  /// The frequency of a channel's sine, in hertz.
  package static func frequencyHz(ofChannel channel: Int) -> Double { 440 + 110 * Double(channel) }

  /// A sample, full scale being ±2^(``bitsPerSample`` − 1).
  package func sample(frame: Int, channel: Int) -> Int32 {
    let fullScale = Double(Int32(1) << Int32(bitsPerSample - 1))
    let turns = Double(frame) * Self.frequencyHz(ofChannel: channel) / Double(sampleRateHz)
    let sine = sin(2 * .pi * turns.truncatingRemainder(dividingBy: 1))
    guard !isPureSine else { return Int32((0.5 * fullScale * sine).rounded()) }
    let isClick = frame % (sampleRateHz / 2) < 8
    let level = 0.25 * sine + (isClick ? 0.5 : 0) + noise(frame: frame, channel: channel) / 256
    return Int32((level * fullScale).rounded())
  }

  /// Noise between -1 and 1, the same for the same frame and channel.
  private func noise(frame: Int, channel: Int) -> Double {
    var mixed = UInt64(frame) &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(channel) &* 0xD1B5_4A32_D192_ED03
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Double(Int32(truncatingIfNeeded: mixed >> 32)) / 2_147_483_648
  }

  /// The whole signal, interleaved, little-endian, packed.
  package func bytes() -> [UInt8] {
    let bytesPerSample = bitsPerSample / 8
    var bytes: [UInt8] = []
    bytes.reserveCapacity(frameCount * channelCount * bytesPerSample)
    for frame in 0..<frameCount {
      for channel in 0..<channelCount {
        let sample = sample(frame: frame, channel: channel)
        for byte in 0..<bytesPerSample { bytes.append(UInt8(truncatingIfNeeded: sample >> Int32(8 * byte))) }
      }
    }
    return bytes
  }

  /// The whole signal as 32-bit floating-point numbers, full scale at ±1, interleaved, little-endian.
  package func floatBytes() -> [UInt8] {
    let fullScale = Float(Int32(1) << Int32(bitsPerSample - 1))
    var bytes: [UInt8] = []
    bytes.reserveCapacity(frameCount * channelCount * 4)
    for frame in 0..<frameCount {
      for channel in 0..<channelCount {
        let bits = (Float(sample(frame: frame, channel: channel)) / fullScale).bitPattern
        for byte in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(8 * byte))) }
      }
    }
    return bytes
  }

  /// The signal as a WAV file. More than two channels need the extensible header, which assigns them to speakers.
  package func wav() -> [UInt8] {
    let sound = bytes()
    let frameSize = channelCount * bitsPerSample / 8
    let isLong = channelCount > 2
    var format = little(isLong ? 0xFFFE : 1, 2) + little(channelCount, 2) + little(sampleRateHz, 4)
    format += little(sampleRateHz * frameSize, 4) + little(frameSize, 2) + little(bitsPerSample, 2)
    if isLong {
      // The number of valid bits, the speakers of 5.1, and PCM as a GUID.
      format += little(22, 2) + little(bitsPerSample, 2) + little(0x3F, 4)
      format += [1, 0, 0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    }
    return [UInt8]("RIFF".utf8) + little(20 + format.count + sound.count, 4) + [UInt8]("WAVEfmt ".utf8)
      + little(format.count, 4) + format + [UInt8]("data".utf8) + little(sound.count, 4) + sound
  }

  private func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
