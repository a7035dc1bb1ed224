import Base
import TestSupport
import Testing

@testable import Media

/// Power cuts in the middle of a fragment header, on a card that writes whole sectors, in any order.
@Suite struct SectorTearTests {
  private let mono = AudioFormat(sampleRateHz: 8_000, channelCount: 1, sampleFormat: .int16)

  @Test("at every place as much of a header as a sector holds lies in one, behind no padding or a whole box")
  func place() {
    for position in 2_560..<2_560 + 1_024 as Range<UInt64> {
      for headerByteCount in [96, 330, 505, 512, 513, 1_984] {
        let place = FragmentPlace(behind: position, headerByteCount: headerByteCount)
        let last = place.headerStart..<place.headerStart + UInt64(place.lastByteCount)
        #expect(last.lowerBound / 512 == (last.upperBound - 1) / 512)
        #expect(place.paddingByteCount == 0 || (8...519).contains(place.paddingByteCount))
        #expect(place.mediaStart == position + UInt64(place.paddingByteCount + headerByteCount))
      }
    }
  }

  /// A file after a cut, and how many fragments were safe before it.
  private struct TornFile {
    var content: [UInt8]
    var safeFragmentCount: Int
    var what: String
  }

  /// The file after each cut during the write of a header, or of what is written in its place before: of the sectors
  /// that the write touches, the first or the last ones are new, and the others unchanged.
  private func tornFiles(_ take: MovieTake) -> [TornFile] {
    var file = MemoryFile()
    take.record(to: &file)
    let places = take.places
    var content: [UInt8] = []
    return file.operations.flatMap { operation -> [TornFile] in
      defer { operation.apply(to: &content) }
      guard case .write(let offset, let bytes) = operation,
        let index = places.firstIndex(where: { Int($0.start) == offset || Int($0.headerStart) == offset })
      else { return [] }
      return stride(from: (offset / 512 + 1) * 512, to: offset + bytes.count, by: 512).flatMap { edge in
        var first = content
        FileOperation.write(offset: offset, bytes: bytes).apply(to: &first, limit: edge - offset)
        var last = content
        FileOperation.write(offset: edge, bytes: Array(bytes.dropFirst(edge - offset))).apply(to: &last)
        return [
          TornFile(content: first, safeFragmentCount: index, what: "fragment \(index), the part before \(edge)"),
          TornFile(content: last, safeFragmentCount: index, what: "fragment \(index), the part from \(edge) on"),
        ]
      }
    }
  }

  private func pictureCount(_ content: [UInt8]) -> Int? {
    try? withFile(content, "mov") { path in
      let text = try ForeignProgram.text(
        "ffprobe",
        [
          "-v", "error", "-count_packets", "-select_streams", "v", "-show_entries", "stream=nb_read_packets", "-of",
          "csv=p=0", path,
        ])
      return Int(text.prefix { $0.isNumber }) ?? 0
    }
  }

  /// Headers of 296, 640 and 1,136 bytes with JPEGs.
  @Test(
    "ffprobe plays everything before a torn header, and the repair brings back the same, whatever its length",
    arguments: [(62, 15), (8, 58), (8, 120)])
  func ffprobe(fragmentCount: Int, picturesPerFragment: Int) throws {
    let take = MovieTake(audio: mono, fragmentCount: fragmentCount, picturesPerFragment: picturesPerFragment)
    let files = tornFiles(take).filter { $0.safeFragmentCount > 0 }
    #expect(files.count >= 20)
    var refused: [String] = []
    for torn in Cases.some(8, of: files) {
      let safeCount = torn.safeFragmentCount * picturesPerFragment
      if pictureCount(torn.content) ?? 0 < safeCount { refused.append(torn.what) }
      var file = MemoryFile(content: torn.content)
      #expect(finish(&file) == .finished, "\(torn.what)")
      let pictures = FinishedMovie(file.content)?.pictures ?? []
      let isKept = pictures == Array(take.pictures.prefix(safeCount))
      #expect(isKept, "\(torn.what)")
    }
    let list = refused.joined(separator: "; ")
    #expect(refused.isEmpty, "ffprobe refuses \(refused.count) of \(files.count) cuts: \(list)")
  }
}
