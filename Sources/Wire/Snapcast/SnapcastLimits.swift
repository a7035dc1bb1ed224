/// Every limit of the protocol's two sides, with its arithmetic.
///
/// The protocol is Snapcast's binary protocol, version 2 ("Snapcast binary protocol", doc/binary_protocol.md of
/// github.com/badaix/snapcast), as Debian's snapclient and snapserver 0.26 speak it. Its sections are named where they
/// are used.
package enum SnapcastLimits {
  /// Where a server listens ("Client joining process").
  package static var port: UInt16 { 1704 }
  /// The version in a client's hello; another is refused.
  package static var protocolVersion: Int64 { 2 }
  /// Of a base message: three numbers of 2 bytes, two times of 8, a size of 4.
  package static var headerByteCount: Int { 26 }
  /// Of a chunk before its sound: a time of 8 bytes, a size of 4.
  package static var chunkHeaderByteCount: Int { 12 }
  /// The longest JSON of a hello or of settings. snapclient 0.26 says hello in some 230 bytes; later ones may add a name
  /// and a password.
  package static var textByteCount: Int { 1024 }
  /// The longest message to a server: a text with its size, after the header.
  package static var requestByteCount: Int { headerByteCount + 4 + textByteCount }
  /// The longest payload that a client takes: a chunk of 100 ms with 8 channels of 16 bits at 48 kHz has 76,800 bytes; the
  /// 20 ms with 2 channels that servers send by default, 3,840.
  package static var payloadByteCount: Int { 81_920 }
  /// The longest message that either session writes itself, chunks aside: settings or hello, of at most 512 bytes of JSON.
  package static var replyByteCount: Int { headerByteCount + 4 + 512 }
  /// How many questions for the time may wait for their answer. A fieldcorder asks 200 times a second at first, and all
  /// that were asked in half a second may arrive at once when one was lost; snapclient asks again only after an answer.
  package static var timeReplyCount: Int { 128 }
  /// What a client has to say hello in: a slow network's second, five times.
  package static var helloNanoseconds: UInt64 { 5_000_000_000 }

  /// Sound in a chunk, in milliseconds: the servers' default.
  package static var chunkMilliseconds: Int { 20 }
  /// From recording to playing, in milliseconds.
  package static var bufferMilliseconds: ClosedRange<Int> { 100...10_000 }
  /// How much sound a slow client may be behind before it is cut off: 1.3 s of 2 channels of 16 bits at 48 kHz, which is
  /// more than the buffer of a second after which it would have had nothing left to play.
  package static var backlogByteCount: Int { 262_144 }

  /// What the kernel keeps for a client that does not take it, and doubles for its own use: two thirds of a second, so that
  /// an answer to a question for the time does not wait behind more sound than that.
  package static var unsentByteCount: Int32 { 65_536 }
  /// Clients at a time: 16 take 3 MB/s of CD-like sound, a quarter of what a wireless network carries on a good day.
  package static var clientCount: ClosedRange<Int> { 1...16 }

  /// What a client keeps until its time: ten seconds, the longest buffer, of 2 channels of 16 bits at 48 kHz. With less
  /// than a chunk's length beyond that, servers that buffer so long are heard with gaps.
  package static var waitingByteCount: Int { 2_097_152 }
  /// How long before it is heard a client puts sound out, unless the server buffers less than twice as long: what is on
  /// its way to the card and in it (0.4 s), and a tenth of a second for a machine that is busy.
  package static var longestLeadNanoseconds: Int64 { 500_000_000 }
  /// What is put out at least before it is heard: the decoder begins when it holds three packets of 4,096 bytes, and a
  /// fourth is on its way.
  package static var leadByteCount: Int { 16_384 }
  /// A server that buffers less than this is not listened to: half of it is the least way through decoder and card.
  package static var leastDelayNanoseconds: Int64 { 300_000_000 }

  /// How long a client waits between two questions for the time at first: 2,000 come together in the 10 s after which it is
  /// to be in sync. How wrong the comparison is goes with the jitter divided by their number; but more questions are lost
  /// more often, and each that is lost holds up all behind it: every 3 ms was worse than every 5.
  package static var firstQuestionNanoseconds: UInt64 { 5_000_000 }
  /// The same later, which renews all 4,096 in 102 s, at 3.7 kB/s with TCP's headers each way: a fiftieth of the sound.
  package static var laterQuestionNanoseconds: UInt64 { 25_000_000 }
  /// How many questions are asked in a hurry: as many as are compared.
  package static var firstQuestionCount: Int { 4096 }
  /// How many questions may be on their way: those of 0.6 s at first, more than a retransmission takes.
  package static var openQuestionCount: Int { 128 }

  /// Two clocks differ by less than this: ±100 ppm each, and what a time server does to one of them (500 ppm at most).
  package static var largestSkew: Double { 700e-6 }
}
