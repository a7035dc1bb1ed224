import TestSupport
import Testing
import Wire

@Suite struct ICYSplitterTests {
  /// Sound of ascending bytes, with a text after every `interval` of them.
  private func stream(_ byteCount: Int, every interval: Int, _ texts: [String]) -> (sound: [UInt8], sent: [UInt8]) {
    var sound: [UInt8] = []
    var sent: [UInt8] = []
    var count = 0
    while sound.count < byteCount {
      for _ in 0..<interval {
        sound.append(UInt8(truncatingIfNeeded: sound.count))
        sent.append(sound.last!)
      }
      let text = Array(texts[count % texts.count].utf8)
      count += 1
      let length = (text.count + 15) / 16
      sent.append(UInt8(length))
      sent += text + [UInt8](repeating: 0, count: 16 * length - text.count)
    }
    return (sound, sent)
  }

  private func split(_ sent: [UInt8], interval: Int, at cuts: [Int]) -> (sound: [UInt8], titles: [String]) {
    var splitter = ICYSplitter(interval: interval)
    var sound: [UInt8] = []
    var titles: [String] = []
    var start = 0
    for end in cuts + [sent.count] {
      var rest = Array(sent[start..<end])
      start = end
      while !rest.isEmpty {
        switch splitter.next(rest.span) {
        case .sound(let count):
          sound += rest.prefix(count)
          rest.removeFirst(count)
        case .skipped(let count): rest.removeFirst(count)
        case .text(let count):
          rest.removeFirst(count)
          if let title = splitter.title { titles.append(String(title)) }
        }
      }
    }
    return (sound, titles)
  }

  private static let texts = ["StreamTitle='One';", "", "StreamTitle='It's Two';StreamUrl='x';", "StreamUrl='';"]

  @Test("However the network cuts it, the sound comes out without the texts, and these come out too")
  func bearsAllCuts() {
    let whole = stream(40, every: 10, Self.texts)
    for first in 0...whole.sent.count {
      for second in first...whole.sent.count {
        let result = split(whole.sent, interval: 10, at: [first, second])
        #expect(result.sound == whole.sound)
        #expect(result.titles == ["One", "It's Two"])
      }
    }
    let bytewise = split(whole.sent, interval: 10, at: Array(1..<whole.sent.count))
    #expect(bytewise.sound == whole.sound)
    #expect(bytewise.titles == ["One", "It's Two"])
  }

  @Test("A stream without texts passes through")
  func passes() {
    let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0) }
    #expect(split(bytes, interval: 0, at: [1, 10, 500]).sound == bytes)
  }

  @Test("The longest text of 4,080 bytes is passed over, however often it comes")
  func bearsLongTexts() {
    let long = "StreamTitle='" + String(repeating: "x", count: 4060) + "';"
    let whole = stream(50, every: 1, [long])
    let result = split(whole.sent, interval: 1, at: [])
    #expect(result.sound == whole.sound)
    #expect(result.titles.allSatisfy { $0.utf8.count <= 256 })
  }

  @Test(
    "A title ends where another field follows, or nothing, however it is quoted",
    arguments: [
      ("StreamTitle='x'", "x"), ("StreamTitle='x';", "x"), ("StreamTitle='';StreamUrl='';", ""),
      ("StreamTitle='It's; mine';StreamUrl='u';", "It's; mine"), ("StreamTitle='a';b';", "a';b"),
      ("StreamTitle='open", "open"), ("StreamTitle='open;StreamUrl='u';", "open"), ("streamtitle = \"x\";", "x"),
      ("StreamUrl='u';StreamTitle='x'", "x"), ("StreamTitle=bare;", "bare"),
      ("StreamTitle='x';adw_ad='true';durationMilliseconds='100';", "x"), ("StreamTitle = 'x' ;", "x"),
      ("StreamTitle=' - ';StreamUrl='';", ""), ("StreamTitle='x';icy2='y';", "x"),
      (
        "StreamTitle='Taio Cruz - text=\"Dynamite\" song_spot=\"M\" MediaBaseId=\"1734278\" TAID=\"43011\"';",
        "Taio Cruz - Dynamite"
      ),
      ("StreamTitle='text=\"Spot Block End\" song_spot=\"T\" length=\"00:00:00\"';StreamUrl='';", "Spot Block End"),
      ("StreamTitle='A - text=\"\" song_spot=\"F\"';", "A"), ("StreamTitle='song_spot=\"F\"';", ""),
      (
        "StreamTitle='title=\"It's\",artist=\"A-ha\",url=\"song_spot=\\\"M\\\" length=\\\"00:03:25\\\"\"';",
        "A-ha - It's"
      ),
    ])
  func endsTitles(text: String, title: String) {
    let bytes = Array(text.utf8) + [UInt8](repeating: 0, count: (16 - text.utf8.count % 16) % 16)
    #expect(split([1, 2, UInt8(bytes.count / 16)] + bytes, interval: 2, at: []).titles == [title])
  }

  @Test("Titles keep the bytes of whatever charset a station writes")
  func keepsBytes() {
    let text = Array("StreamTitle='".utf8) + [0x4D, 0xFC, 0x6C, 0x6C, 0x65, 0x72] + Array("';".utf8)
    let sent = [1, 2] + [UInt8(2)] + text + [UInt8](repeating: 0, count: 32 - text.count)
    var splitter = ICYSplitter(interval: 2)
    for start in 0...3 { _ = splitter.next(Array(sent[min(start, 3)...]).span) }
    #expect(splitter.title.map { title in title.bytes.indices.map { title.bytes[$0] } } == Array(text[13..<19]))
  }
}
