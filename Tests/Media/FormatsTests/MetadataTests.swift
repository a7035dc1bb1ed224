import Base
import Foundation
import Media
import TestSupport
import Testing

/// The chunks from which other programs learn what a WAV is.
@Suite struct MetadataTests {
  private static let format = AudioFormat(sampleRateHz: 48_000, channelCount: 2, sampleFormat: .int24)
  private static let head = [
    "device \(MovieTake.deviceText); recorded \(MovieTake.createdText)Z; software fieldcorder 0.1.0",
    "sample rate 47999.214 Hz, -16.38 ppm",
  ]
  private static let entries = [
    "0:00:00.000 sample 0 2026-11-21T00:38:41.125Z part 2 of take 0011",
    "0:00:00.000 sample 0 2026-11-21T00:38:41.125Z project: Herons & <Owls>",
    "0:00:00.000 sample 0 2026-11-21T00:38:41.125Z scene: 11",
    "0:00:00.500 sample 24000 2026-11-21T00:38:41.625Z scene: 12A",
    "0:00:00.500 sample 24000 2026-11-21T00:38:41.625Z tape: R7",
    "0:00:00.500 sample 24000 2026-11-21T00:38:41.625Z note: 올빼미, from the hide",
    "0:00:00.500 sample 24000 2026-11-21T00:38:41.625Z track 2: spot",
    "0:00:00.500 sample 24000 2026-11-21T00:38:41.625Z position: 47.37690 8.54170",
    "0:00:00.500 sample 24000 2026-11-21T00:38:41.625Z altitude: 408.5 m",
    "0:00:00.500 sample 24000 2026-11-21T00:38:41.625Z temperature: 41.5 °C",
    "0:00:00.750 sample 36000 2026-11-21T00:38:41.875Z mark: an owl",
    "0:00:00.760 sample 36480 2026-11-21T00:38:41.885Z market: no mark",
    "0:00:01.000 sample 48000 2026-11-21T00:38:42.125Z mark",
  ]
  private static let end = ["ended: stopped"]

  /// A finished file, and its chunks.
  private func finished(_ lines: [String]) throws -> (content: [UInt8], chunks: [(String, [UInt8])]) {
    var take = AudioTake(.wav, Self.format, frameCount: 72_001)
    take.description.provenance.createdFrames = 6_000
    take.description.provenance.fileNumber = 12
    var file = MemoryFile()
    let text = lines.map { $0 + "\n" }.joined()
    take.record(to: &file, pieceCount: 2, isFinished: true, ledger: take.ledger(text))
    return (file.content, chunks(file.content, from: 12))
  }

  private func chunks(_ content: [UInt8], from start: Int) -> [(String, [UInt8])] {
    var found: [(String, [UInt8])] = []
    var place = start
    while place + 8 <= content.count {
      let size = content[(place + 4)..<(place + 8)].reversed().reduce(0) { $0 << 8 | Int($1) }
      guard place + 8 + size <= content.count else { break }
      found.append(
        (String(decoding: content[place..<place + 4], as: UTF8.self), Array(content[place + 8..<place + 8 + size])))
      place += 8 + size + size % 2
    }
    #expect(place == content.count)
    return found
  }

  private func content(_ name: String, _ chunks: [(String, [UInt8])]) throws -> [UInt8] {
    let found = chunks.filter { $0.0 == name }
    try #require(found.count == 1, "\(name)")
    return found[0].1
  }

  private func little(_ bytes: [UInt8], at offset: Int, count: Int = 4) -> UInt64 {
    bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  @Test("the broadcast extension has a UMID of the file, no loudness, and the format as coding history")
  func broadcast() throws {
    let broadcast = try content("bext", finished(Self.head + Self.end).chunks)
    #expect(little(broadcast, at: 338, count: 8) == (38 * 60 + 41) * 48_000 + 6_000)
    #expect(little(broadcast, at: 346, count: 2) == 2)
    let umid = broadcast[348..<380].map { String(format: "%02X", $0) }.joined()
    #expect(umid == "060A2B34010101050101092013000000" + "0123456789AB4DEFBEDCBA987654321C")
    #expect(broadcast[380..<412].allSatisfy { $0 == 0 })
    #expect((0..<5).allSatisfy { little(broadcast, at: 412 + 2 * $0, count: 2) == 0x7FFF })
    #expect(String(decoding: broadcast[602...], as: UTF8.self) == "A=PCM,F=48000,W=24,M=stereo\r\n\0")
  }

  @Test("iXML has what is known, escaped, and no empty element")
  func ixml() throws {
    let bytes = try content("iXML", finished(Self.head + Self.entries + Self.end).chunks)
    let xml = String(decoding: bytes, as: UTF8.self)
    for element in [
      "<PROJECT>Herons &amp; &lt;Owls&gt;</PROJECT>", "<SCENE>12A</SCENE>", "<TAPE>R7</TAPE>", "<TAKE>11</TAKE>",
      "<NOTE>올빼미, from the hide</NOTE>", "<FILE_UID>01234567-89ab-4def-bedc-ba987654321c</FILE_UID>",
      "<FAMILY_UID>01234567-89ab-4def-bedc-ba987654321b</FAMILY_UID>", "<FILE_SET_INDEX>2</FILE_SET_INDEX>",
      "<FILE_SAMPLE_RATE>48000</FILE_SAMPLE_RATE>", "<AUDIO_BIT_DEPTH>24</AUDIO_BIT_DEPTH>",
      "<TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_LO>111414000</TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_LO>",
      "<TRACK_COUNT>2</TRACK_COUNT>", "<NAME>left</NAME>", "<NAME>spot</NAME>",
      "<BWF_TIME_REFERENCE_LOW>111414000</BWF_TIME_REFERENCE_LOW>",
      "<BWF_ORIGINATION_DATE>2026-11-21</BWF_ORIGINATION_DATE>",
      "<BWF_CODING_HISTORY>A=PCM,F=48000,W=24,M=stereo</BWF_CODING_HISTORY>",
      "<LOCATION_GPS>47.37690, 8.54170</LOCATION_GPS>", "<LOCATION_ALTITUDE>408.5</LOCATION_ALTITUDE>",
    ] { #expect(xml.contains(element), "\(element)") }
    #expect(xml.firstMatch(of: /<(\w+)><\/\w+>/) == nil)
    let bare = String(decoding: try content("iXML", finished(Self.head + Self.end).chunks), as: UTF8.self)
    #expect(bare.contains("<TAKE>12</TAKE>") && !bare.contains("SCENE") && !bare.contains("<NOTE>"))
  }

  @Test("the deployment's name is in iXML and GUANO, also where the position is not known")
  func deployment() throws {
    let entry = "0:00:00.000 sample 0 2026-11-21T00:38:41.125Z deployment: Oak & Elm"
    let chunks = try finished(Self.head + [entry] + Self.end).chunks
    let xml = String(decoding: try content("iXML", chunks), as: UTF8.self)
    #expect(xml.contains("<LOCATION>\n<LOCATION_NAME>Oak &amp; Elm</LOCATION_NAME>\n</LOCATION>"), "\(xml)")
    let guano = String(decoding: try content("guan", chunks), as: UTF8.self)
    #expect(guano.contains("\nFieldcorder|Deployment: Oak & Elm\n") && !guano.contains("Loc "))
  }

  @Test("the take in its scene, the newest verdict and all notes are in iXML and GUANO; an emptied one is in neither")
  func verdicts() throws {
    func entry(_ text: String) -> String { "0:00:00.500 sample 24000 2026-11-21T00:38:41.625Z \(text)" }
    let texts = ["scene: 12A", "take: 3", "tape: R7", "tape:", "note: wind", "note: a plane", "verdict: circled"]
    let chunks = try finished(Self.head + texts.map(entry) + Self.end).chunks
    let xml = String(decoding: try content("iXML", chunks), as: UTF8.self)
    for element in ["<TAKE>3</TAKE>", "<CIRCLED>TRUE</CIRCLED>", "<NOTE>wind; a plane</NOTE>"] {
      #expect(xml.contains(element), "\(element)")
    }
    #expect(!xml.contains("TAPE") && !xml.contains("TAKE_TYPE"))
    let guano = String(decoding: try content("guan", chunks), as: UTF8.self)
    #expect(guano.contains("\nNote: wind; a plane\n") && guano.contains("\nFieldcorder|Scene Take: 3\n"))
    #expect(guano.contains("\nFieldcorder|Verdict: circled\n") && !guano.contains("Tape"))
    let others = ["note: wind", "note:", "verdict: circled", "verdict: false take"]
    let changed = String(
      decoding: try content("iXML", finished(Self.head + others.map(entry) + Self.end).chunks), as: UTF8.self)
    #expect(changed.contains("<CIRCLED>FALSE</CIRCLED>\n<TAKE_TYPE>NO_GOOD</TAKE_TYPE>") && !changed.contains("<NOTE>"))
  }

  @Test(
    "AIFF, CAF and MOV have what a person entered, and AIFF and CAF the marks",
    arguments: [nil, AudioContainer.aiff, .caf])
  func pairs(container: AudioContainer?) throws {
    let text = (Self.head + Self.entries + Self.end).map { $0 + "\n" }.joined()
    var file = MemoryFile()
    if let container {
      let take = AudioTake(container, Self.format, frameCount: 72_001)
      take.record(to: &file, pieceCount: 2, isFinished: true, ledger: take.ledger(text))
    } else {
      MovieCutTests.take.record(to: &file)
      let ledger = encoded(capacityByteCount: LedgerCoding.codedByteCount) { writer in
        LedgerCoding.encodeMovie(Array(text.utf8).span, into: &writer)
      }
      #expect(finish(&file, ledger: ledger) == .finished)
    }
    try withFile(file.content, container.map { "\($0.fileExtension)" } ?? "mov") { path in
      let tags = try #require(Probe(path: path).format.tags)
      let prefix = container == .caf ? "org.fieldcorder." : ""
      let wanted = [
        "project": "Herons & <Owls>", "scene": "12A", "tape": "R7", "note": "올빼미, from the hide", "track 2": "spot",
        "position": "47.37690 8.54170",
      ]
      for (name, value) in wanted { #expect(tags[prefix + name] == value, "\(name)") }
      #expect(tags[prefix + "take"] == nil && tags["title"] == "12A")
      if container == nil { #expect(tags["location"] == "+47.37690+008.54170/") }
    }
    let content = file.content
    switch container {
    case .aiff:
      let marks = try #require(content.firstRange(of: Array("MARK".utf8))).upperBound
      // Two marks; each has a number, a place, and a text that begins with its length.
      let expected: [UInt8] =
        [0, 2, 0, 1, 0, 0, 0x8C, 0xA0, 6] + Array("an owl".utf8) + [0, 0, 2, 0, 0, 0xBB, 0x80, 6]
      #expect(Array(content[(marks + 4)...].prefix(expected.count)) == expected)
    case .caf:
      let texts = try #require(content.firstRange(of: Array("strg".utf8))).upperBound
      #expect(Array(content[(texts + 8)...].prefix(4)) == [0, 0, 0, 2])
      #expect(content.suffix(14) == Array("an owl\0mark 2\0".utf8)[...])
    case .flac, .wav, nil: break
    }
  }

  @Test("more marks than have room are left out of AIFF and CAF", arguments: [AudioContainer.aiff, .caf])
  func manyMarks(container: AudioContainer) throws {
    let text = (Self.head + (0..<1_300).map { "0 sample \($0) x mark" } + Self.end).map { $0 + "\n" }.joined()
    let take = AudioTake(container, Self.format, frameCount: 8_000)
    var file = MemoryFile()
    take.record(to: &file, pieceCount: 2, isFinished: true, ledger: take.ledger(text))
    try withFile(file.content, "\(container.fileExtension)") { path in
      let tags = try Probe(path: path).format.tags
      #expect(tags?.isEmpty == false)
    }
  }

  @Test("GUANO has a line for each thing that is known")
  func guano() throws {
    let bytes = try content("guan", finished(Self.head + Self.entries + Self.end).chunks)
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    #expect(lines.first == "GUANO|Version: 1.0")
    for line in [
      "Timestamp: 2026-11-21T00:38:41.125Z", "Serial: \(MovieTake.deviceText)", "Firmware Version: 0.1.0",
      "Samplerate: 48000", "Length: 1.500021", "Loc Position: 47.37690 8.54170", "Loc Elevation: 408.5",
      "Temperature Int: 41.5",
      "Note: 올빼미, from the hide", "Fieldcorder|Take: 11", "Fieldcorder|Part: 2", "Fieldcorder|Ended: stopped",
      "Fieldcorder|Measured Samplerate: 47999.214 Hz, -16.38 ppm", "Fieldcorder|Scene: 12A",
    ] { #expect(lines.contains(line), "\(line)") }
  }

  @Test("each mark is a cue point with its text, and the ledger is the only comment")
  func cuePoints() throws {
    let (content, chunks) = try finished(Self.head + Self.entries + Self.end)
    let cues = try self.content("cue ", chunks)
    #expect(little(cues, at: 0) == 2 && cues.count == 4 + 2 * 24)
    #expect(little(cues, at: 4) == 1 && little(cues, at: 24) == 36_000 && little(cues, at: 48) == 48_000)
    let lists = chunks.filter { $0.0 == "LIST" }.map(\.1)
    #expect(lists.map { String(decoding: $0.prefix(4), as: UTF8.self) } == ["INFO", "adtl"])
    let labels = self.chunks(lists[1], from: 4).map { String(decoding: $0.1.dropFirst(4), as: UTF8.self) }
    #expect(labels.map { $0.filter { $0 != "\0" } } == ["an owl", "mark 2"])
    #expect(self.chunks(lists[0], from: 4).map(\.0) == ["ICMT", "ISFT", "ICRD"])
    try withFile(content, "wav") { path in
      let tags = try #require(Probe(path: path).format.tags)
      #expect(
        tags["comment"]?.hasSuffix("ended: stopped\n") == true || tags["comment"]?.hasSuffix("ended: stopped") == true)
      #expect(tags["umid"]?.lowercased().contains("060a2b34010101050101092013000000") == true)
    }
  }

  @Test("iXML has U+FFFD for characters that XML excludes")
  func excludedCharacters() throws {
    let note = "0 sample 1 x note: a\u{FFFE}b\u{FFFF}\u{1F989}"
    let xml = String(decoding: try content("iXML", finished(Self.head + [note] + Self.end).chunks), as: UTF8.self)
    #expect(xml.contains("<NOTE>a\u{FFFD}b\u{FFFD}\u{1F989}</NOTE>"))
  }

  @Test("entries that a card has damaged leave iXML well formed, and more marks than have room are left out")
  func damaged() throws {
    let lines = (0..<900).map { "0 sample \($0) x mark: \u{1}&&&" }
    let (_, chunks) = try finished(Self.head + ["0 sample 1 x note: \(String(repeating: "<", count: 900))"] + lines)
    let cues = try content("cue ", chunks)
    #expect((300..<900).contains(Int(little(cues, at: 0))))
    let xml = String(decoding: try content("iXML", chunks), as: UTF8.self)
    #expect(xml.contains("<NOTE>" + String(repeating: "&lt;", count: 256) + "</NOTE>"))
  }
}
