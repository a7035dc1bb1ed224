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

  @Test("A playlist of pieces holds none, and lines that are too long are passed over")
  func refusesPieces() {
    #expect(addresses("#EXTM3U\n#EXT-X-TARGETDURATION:10\nsegment1.ts\n") == [])
    #expect(addresses(String(repeating: "a", count: 300) + "\nhttp://a/") == ["http://a/"])
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
