import Base
import TestSupport
import Testing
import Wire

@Suite struct PlaylistReaderTests {
  private func addresses(_ text: String) -> [String] {
    let bytes = Array(text.utf8)
    var reader = PlaylistReader(bytes.span)
    var found: [String] = []
    while let address = reader.next() { found.append(String(address)) }
    return found
  }

  @Test("An M3U has an address a line")
  func readsM3U() {
    #expect(
      addresses("#EXTM3U\r\n#EXTINF:-1,Radio\r\nhttp://a/live\r\n\r\n  relative.mp3  \n#end") == [
        "http://a/live", "relative.mp3",
      ])
    #expect(addresses("http://a/x") == ["http://a/x"])
    #expect(addresses("") == [])
    #expect(addresses("\n\r\n#only comments\n") == [])
  }

  @Test("A PLS has them behind File1=, among facts that are none")
  func readsPLS() {
    let text =
      "[playlist]\nNumberOfEntries=2\nFile1=http://a/1\nTitle1=A\nLength1=-1\nFile2=http://b/?x=y\nVersion=2\nFilex=z\nFile3="
    #expect(addresses(text) == ["http://a/1", "http://b/?x=y"])
  }

  @Test(
    "Keys of any case, spaces, quotes, a mark at the beginning and a missing header make no difference",
    arguments: [
      "[playlist]\nfile1=http://a/1\n", "[PLAYLIST]\rFILE1=http://a/1\r", "[playlist]\n File1 = http://a/1 \n",
      "[playlist]\nFile1=\"http://a/1\"", "\u{FEFF}[playlist]\nFile1=http://a/1", "\u{FEFF}http://a/1",
      "File1=http://a/1\nTitle1=#x\n#", "[Reference]\r\nRef1=http://a/1\r\n",
      "<ASX><ENTRY><REF HREF = \"http://a/1\"/></ENTRY></ASX>",
      "<?xml version='1.0'?><playlist><location>http://a/1</location></playlist>",
      "<playlist><location><![CDATA[http://a/1]]></location></playlist>",
      "<playlist><location>&#104;ttp://a&#x2F;1</location></playlist>", "<asx><ref href='http:&#47;&#x2f;a/1'/></asx>",
      "<asx><entry><ref href=http://a/1 /></entry></asx>",
      "<?xml version='1.0'?><x:playlist><x:location>http://a/1</x:location></x:playlist>",
      "<ASX><ENTRYREF HREF=\"http://a/1\"/></ASX>", "<?wpl version='1.0'?><smil><media src='http://a/1'/></smil>",
      "<smil><body><audio src=\"http://a/1\"/></body></smil>",
      "<rss><channel><item><enclosure type=\"audio/mpeg\" url=\"http://a/1\"/></item></channel></rss>",
      "<rss><item><enclosure\r\n\ttype='audio/mpeg'\r\n\turl='http://a/1'/></item></rss>",
      "<rss><media:content url='http://b/1.jpg' type='image/jpeg'/><enclosure url='http://a/1' type='audio/mpeg'/></rss>",
      "<rss><item><enclosure url='http://b/1' type='image/png'/><media:content url='http://a/1'/></item></rss>",
      "<feed><link href='http://b/'/><entry><link rel='enclosure' href='http://a/1'/></entry></feed>",
    ])
  func bearsForms(text: String) {
    #expect(addresses(text).first == "http://a/1")
    let bytes = Array(text.utf8)
    let begins = PlaylistReader.begins(with: bytes.span)
    #expect(begins)
    for isBig in [false, true] {
      let wide = [0xFEFF] + Array(text.drop { $0 == "\u{FEFF}" }.utf16)
      let bytes = wide.flatMap { isBig ? [UInt8($0 >> 8), UInt8($0 & 0xFF)] : [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
      var reader = PlaylistReader(bytes.span)
      let first = reader.next().map { String($0) }
      #expect(first == "http://a/1")
    }
  }

  @Test("A list in UTF-16 is read without a mark at its beginning as well", arguments: [false, true])
  func wide(isBig: Bool) {
    let bytes: [UInt8] = Array("#EXTM3U\nhttp://a/1\n".utf8).flatMap { byte -> [UInt8] in
      isBig ? [0, byte] : [byte, 0]
    }
    var reader = PlaylistReader(bytes.span)
    let first = reader.next().map { String($0) }
    #expect(first == "http://a/1")
  }

  @Test(
    "Characters that are written as XML and HTML write them are those characters",
    arguments: [
      ("Beyonc&#233;", "Beyoncé"), ("Bj&#xF6;rk &amp; &lt;x&gt;", "Björk & <x>"), ("&quot;&#48388;&#X2019;", "\"봄’"),
      ("&apos;a&#x1F3B5;", "'a🎵"), ("a & b; c", "a & b; c"), ("&#7;&#0;&#x202E;", "&#7;&#0;&#x202E;"),
      ("&#;&#x;&nosuch;&", "&#;&#x;&nosuch;&"), ("&#99999999;&#xD800;", "&#99999999;&#xD800;"),
      ("&#1a;&amp", "&#1a;&amp"), ("", ""),
    ])
  func unescapes(text: String, plain: String) {
    let bytes = Array(text.utf8)
    let unescaped: FixedText<128> = bytes.span.unescaped()
    #expect(String(unescaped) == plain)
  }

  @Test(
    "What players put around an address is none of it",
    arguments: [
      ("icy://a:8000/x", "http://a:8000/x"), ("ICY://a/", "http://a/"), ("http://a/x|User-Agent=VLC/3", "http://a/x"),
      ("http://a/x?t=1|referer=http://b/&User-Agent=x", "http://a/x?t=1"), ("http://a/x|y=z", "http://a/x|y=z"),
      ("http://a/x|", "http://a/x|"), ("relative.mp3", "relative.mp3"), ("..\\a b\\1.mp3", "../a b/1.mp3"),
      ("http://a/b\\1.mp3?c=\\", "http://a/b/1.mp3?c=\\"), ("http://a:\\@b/", "http://a:\\@b/"),
      ("icy://a/b\\c", "http://a/b/c"),
    ])
  func leavesOut(text: String, plain: String) {
    let bytes = Array(text.utf8)
    let address: FixedText<256> = bytes.span.plainAddress()
    #expect(String(address) == plain)
  }

  @Test("Sound is no playlist, whatever it is called")
  func tellsSound() {
    let sound: [UInt8] = Array("ID3".utf8) + [4, 0, 0, 0, 0]
    let (begins, isBinary) = (PlaylistReader.begins(with: sound.span), PlaylistReader.isBinary(sound.span))
    #expect(!begins && isBinary)
  }

  @Test(
    "A page and a message are text, and the beginnings of sound are not, however few bytes have come",
    arguments: [
      ("<html>", false, true), ("{\"error\":1}", false, true), ("busy, try later", true, true),
      ("busy, try later", false, false), ("Too many listeners are here", false, true), ("ID3", true, false),
      ("RIFF$x$xWAVEfmt \u{10}\0\0\0", false, false), ("<x\0\0\0", false, false), ("", true, false),
    ])
  func tellsText(text: String, isCalledText: Bool, expected: Bool) {
    let bytes = Array(text.utf8)
    let isText = PlaylistReader.isText(bytes.span, isCalledText: isCalledText)
    #expect(isText == expected)
  }

  @Test("A playlist of pieces holds none, and lines that are too long are passed over")
  func refusesPieces() {
    #expect(addresses("#EXTM3U\n#EXT-X-TARGETDURATION:10\nsegment1.ts\n") == [])
    #expect(addresses(String(repeating: "a", count: 2049) + "\nhttp://a/") == ["http://a/"])
    let long = "http://a/?" + String(repeating: "a", count: 2000)
    #expect(addresses(long + "\n") == [long])
  }

  @Test("Random bytes give bounded addresses", arguments: 0..<100)
  func bearsAnything(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let bytes = (0..<2000).map { _ in UInt8.random(in: 0...255, using: &random) }
    var reader = PlaylistReader(bytes.span)
    var count = 0
    while let address = reader.next() {
      count += 1
      #expect(!address.isEmpty && !address.isTruncated)
    }
    #expect(count <= 2000)
  }
}
