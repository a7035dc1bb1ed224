import Base
import TestSupport
import Testing

@testable import Wire

@Suite struct MessageTests {
  @Test("A base message is its fields in the protocol's order, little-endian, in 26 bytes")
  func headerIsLaidOut() {
    let header = MessageHeader(
      .time, id: 0x0102, refersTo: 0x0304, sent: WireTime(seconds: 5, microseconds: 6), payloadByteCount: 8)
    let bytes = written { room in
      header.write(into: &room)
      return 26
    }
    #expect(bytes == [4, 0, 2, 1, 4, 3, 5, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0])
    let read = MessageHeader(bytes)
    #expect(read == header)
  }

  @Test("A kind that there is not, and too few bytes, are no header")
  func refusesHeaders() {
    for kind in [0, 9, 77, 0x6F7B] as [UInt16] { #expect(MessageHeader(message(kind, payload: [])) == nil) }
    #expect(MessageHeader(message(4, payload: []).dropLast()) == nil)
  }

  @Test(
    "Times are rounded down to microseconds, before zero as well",
    arguments: [
      (0, 0, 0), (1_999, 0, 1), (3_000_000_000, 3, 0), (1_000_001_000, 1, 1), (-1, -1, 999_999),
      (-1_000, -1, 999_999), (-1_000_000_000, -1, 0), (-1_000_001_000, -2, 999_999),
    ] as [(Int64, Int32, Int32)])
  func timesAreRounded(nanoseconds: Int64, seconds: Int32, microseconds: Int32) {
    #expect(WireTime(nanoseconds: nanoseconds) == WireTime(seconds: seconds, microseconds: microseconds))
  }

  @Test("Any time of the wire is a number of nanoseconds", arguments: [Int32.min, -1, 0, 1, .max])
  func timesAreNumbers(number: Int32) {
    let time = WireTime(seconds: number, microseconds: number)
    #expect(time.nanoseconds == Int64(number) * 1_000_001_000)
  }

  @Test("What Debian's snapclient says in its hello is read")
  func readsHello() throws {
    let hello = try #require(Hello(debianHello))
    #expect(String(hello.hostName) == "kitchen")
    #expect(String(hello.clientName) == "Snapclient")
    #expect(String(hello.version) == "0.26.0")
    #expect(String(hello.id) == "00:11:22:33:44:55")
    #expect(hello.protocolVersion == 2)
  }

  @Test(
    "Unknown members of any shape are passed over, escapes are resolved, and what a terminal would obey is not kept")
  func readsAnyObject() throws {
    let json =
      #" { "Auth" : {"param":"}\"","list":[1,[2,{"a":null}]]} , "HostName":"a\u00e9\n\"\\\u001b[2J" , "x":-1.5e3 } "#
    let hello = try #require(Hello(json))
    #expect(String(hello.hostName) == "aé \"\\ [2J")
    #expect(hello.protocolVersion == 1)
  }

  @Test(
    "What is no object, or has a member of another type, is refused",
    arguments: [
      "", "{", "}", "[]", "{}x", #"{"HostName":}"#, #"{"HostName":1}"#, #"{"HostName":"a}"#, #"{"HostName" "a"}"#,
      #"{"SnapStreamProtocolVersion":"2"}"#, #"{"SnapStreamProtocolVersion":99999999999999999999}"#, #"{"a":1,}"#,
      #"{"a":]}"#, #"{"a":"b\"#, #"{"a":[[[[[[[[[1]]]]]]]]]}"#, #"{"a":1 "b":2}"#,
    ])
  func refusesText(json: String) {
    #expect(Hello(json) == nil)
  }

  @Test(
    "Settings out of their range are refused",
    arguments: [
      #"{"bufferMs":-1}"#, #"{"bufferMs":1000001}"#, #"{"latency":1000001}"#, #"{"volume":101}"#, #"{"muted":1}"#,
    ])
  func refusesSettings(json: String) {
    #expect(ServerSettings(json) == nil)
  }

  @Test("Settings survive being written and read")
  func settingsComeBack() {
    var settings = ServerSettings(bufferMilliseconds: 750)
    settings.latencyMilliseconds = -20
    settings.volume = 30
    settings.isMuted = true
    #expect(ServerSettings(String(settings.json)) == settings)
    #expect(settings.delayNanoseconds == 770_000_000)
  }

  @Test("The longest names fit a hello, and what is written there is read again")
  func helloFits() throws {
    let name = String(repeating: "\"", count: 64)
    let hello = Hello(
      hostName: FixedText(String(repeating: "m", count: 64)), clientName: FixedText(String(name.prefix(32))),
      version: FixedText(String(name.prefix(32))), id: FixedText(String(repeating: "i", count: 64)))
    #expect(!hello.json.isTruncated)
    #expect(Hello(String(hello.json)) == hello)
  }

  @Test("A header of PCM is the RIFF WAVE header that Debian's snapserver sends, and is read again")
  func codecIsWave() {
    let bytes = written { room in
      CodecHeader(.stereo).write(into: &room)
      return CodecHeader.byteCount
    }
    let wave: [UInt8] =
      Array("RIFF".utf8) + [36, 0, 0, 0] + Array("WAVEfmt ".utf8) + [16, 0, 0, 0, 1, 0, 2, 0, 0x80, 0xBB, 0, 0]
      + [0, 0xEE, 2, 0, 4, 0, 16, 0] + Array("data".utf8) + [0, 0, 0, 0]
    #expect(bytes == [3, 0, 0, 0] + Array("pcm".utf8) + [44, 0, 0, 0] + wave)
    let read = CodecHeader(bytes)
    #expect(read?.format == .stereo)
  }

  @Test("A codec's header is not trusted, whatever its bytes are", arguments: 0..<4 as Range<UInt64>)
  func codecIsJudged(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var acceptedCount = 0
    for _ in 0..<20_000 {
      var bytes = written { room in
        CodecHeader(.stereo).write(into: &room)
        return CodecHeader.byteCount
      }
      for _ in 0..<Int.random(in: 0...3, using: &generator) {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
      }
      bytes.removeLast(Int.random(in: 0...2, using: &generator))
      guard let codec = CodecHeader(bytes) else { continue }
      acceptedCount += 1
      #expect((1...8).contains(codec.format.channelCount) && (8000...192_000).contains(codec.format.sampleRateHz))
    }
    #expect(acceptedCount > 1000)
  }
}
