import Base
import TestSupport
import Testing
import Wire

@Suite struct WAVStreamHeaderTests {
  @Test(
    "ffprobe reads the format of each kind of sample, and finds every one",
    arguments: [
      (AudioFormat(sampleRateHz: 48_000, channelCount: 2, sampleFormat: .int16), "pcm_s16le,48000,2", 44),
      (AudioFormat(sampleRateHz: 44_100, channelCount: 1, sampleFormat: .int24), "pcm_s24le,44100,1", 44),
      (AudioFormat(sampleRateHz: 48_000, channelCount: 2, sampleFormat: .float32), "pcm_f32le,48000,2", 46),
      (AudioFormat(sampleRateHz: 192_000, channelCount: 8, sampleFormat: .float32), "pcm_f32le,192000,8", 68),
    ])
  func isRead(format: AudioFormat, expected: String, headerByteCount: Int) throws {
    let header = WAVStreamHeader.bytes(format)
    // Readers that know only the plain form read one or two channels.
    #expect(header.byteCount == headerByteCount && !header.isTruncated)
    var file = [UInt8](repeating: 0, count: headerByteCount + 1_000 * format.bytesPerFrame)
    for index in 0..<headerByteCount { file[index] = header.bytes[index] }
    let folder = try TemporaryFolder()
    let path = try folder.write(file, as: "a.wav")
    #expect(try ForeignProgram.probe(path, stream: "a:0", entry: "codec_name,sample_rate,channels") == expected)
    #expect(try ForeignProgram.decodeSamples(path).count == 1_000 * Int(format.channelCount))
  }
}
