import Base
import TestSupport
import Testing
import Wire

@Suite struct DecoderInvocationTests {
  @Test("The arguments are readable in a process list")
  func hasWords() {
    let player = DecoderInvocation(
      socket: 5, ring: 6, ringByteCount: 96_000,
      format: AudioFormat(sampleRateHz: 48_000, channelCount: 2, sampleFormat: .int16), isInStep: true)
    #expect(
      words(player).joined(separator: " ")
        == "--socket 5 --ring 6 --ring-bytes 96000 --rate 48000 --channels 2 --format s16 --in-step")
    #expect(invocation(words(player)) == player)
    let prober = DecoderInvocation(
      socket: 2_000_000_000, ring: nil, ringByteCount: 0,
      format: AudioFormat(sampleRateHz: 192_000, channelCount: 8, sampleFormat: .float32), isInStep: false)
    #expect(
      words(prober).joined(separator: " ")
        == "--socket 2000000000 --ring-bytes 0 --rate 192000 --channels 8 --format float")
    #expect(invocation(words(prober)) == prober)
  }

  @Test(
    "A command line with a missing or unknown argument is refused",
    arguments: [
      "", "--socket 5", "--socket 5 --ring 6 --ring-bytes 0 --rate 48000 --channels 2 --format s16",
      "--socket 5 --ring-bytes 4 --rate 48000 --channels 2 --format s16",
      "--socket 5 --ring 6 --ring-bytes 5 --rate 48000 --channels 2 --format s16",
      "--socket x --ring-bytes 0 --rate 48000 --channels 2 --format s16",
      "--socket 5 --ring-bytes 0 --rate 48000 --channels 2 --format s17",
      "--socket 5 --ring-bytes 0 --rate 48000 --channels 70000 --format s16",
      "--socket 5 --ring-bytes 0 --rate 48000 --channels 2 --format",
      "--socket 5 --ring-bytes 0 --rate 48000 --channels 2 --format s16 --file music.mp3",
    ])
  func refuses(line: String) {
    #expect(invocation(line.split(separator: " ").map(String.init)) == nil)
  }

  private func words(_ invocation: DecoderInvocation) -> [String] {
    var words: [String] = []
    invocation.forEachWord { words.append(String($0)) }
    return words
  }

  private func invocation(_ words: [String]) -> DecoderInvocation? {
    var rest = words[...]
    return DecoderInvocation { rest.popFirst().map { FixedText($0) } }
  }
}
