import Base
import TestSupport
import Testing

@testable import Media

/// Power cuts at every write of a whole take and its completion.
@Suite struct MovieCutTests {
  static let take = MovieTake(
    audio: AudioFormat(sampleRateHz: 8_000, channelCount: 2, sampleFormat: .int16), fragmentCount: 6, jitterTicks: 40)

  static let ledger = encoded(capacityByteCount: 4_096) { writer in
    LedgerCoding.encodeMovie(Array("device 1\nended: stopped\n".utf8).span, into: &writer)
  }

  static let operations: [FileOperation] = {
    var file = MemoryFile()
    take.record(to: &file)
    _ = finish(&file, ledger: ledger)
    return file.operations
  }()

  static let headers = take.fragments.map { take.encodedHeader(of: $0) }

  static let cuts: [Cut] = {
    var generator = SeededGenerator(seed: 2_026)
    return Cut.all(operations, tears: 6, losses: 6, using: &generator)
  }()

  /// How many fragments were complete and safe at `cut`: their header was written before the last synchronisation.
  private func safeFragmentCount(_ cut: Cut) -> Int {
    let done = Self.operations[..<cut.operationCount]
    guard let lastSynchronisation = done.lastIndex(of: .synchronise) else { return 0 }
    return done[..<lastSynchronisation].filter { operation in
      if case .write(_, let bytes) = operation { Self.headers.contains(bytes) } else { false }
    }.count
  }

  @Test("after every cut the repair brings back all that was safe, and nothing that was not recorded")
  func repair() throws {
    #expect(Self.cuts.count >= 1_000)
    for cut in Self.cuts {
      let safe = safeFragmentCount(cut)
      var file = MemoryFile(content: cut.content(Self.operations))
      let outcome = finish(&file, ledger: Self.ledger)
      guard let movie = FinishedMovie(file.content) else {
        #expect(safe == 0 && outcome != .finished, "\(cut)")
        continue
      }
      #expect(outcome == .finished || outcome == .alreadyFinished, "\(cut)")
      expect(movie, fragmentCounts: safe...safe + 1, cut)
      #expect(Array(file.content.suffix(Self.ledger.count)) == Self.ledger, "\(cut)")
    }
  }

  /// Expects exactly the recorded fragments, and a number of them within `fragmentCounts`.
  private func expect(_ movie: FinishedMovie, fragmentCounts: ClosedRange<Int>, _ cut: Cut) {
    let count = movie.pictures.count / 5
    let kept = Self.take.fragments.prefix(count)
    #expect(fragmentCounts.contains(count), "\(cut)")
    #expect(movie.pictures == kept.flatMap(\.pictures), "\(cut)")
    #expect(movie.audio == kept.flatMap(\.audio), "\(cut)")
    #expect(movie.pictureTicks == Array(Self.take.pictureTicks.prefix(count * 5)), "\(cut)")
  }

  @Test("a cut during a repair loses nothing either, and leaves at most what the repair had begun to write")
  func repairOfRepair() throws {
    var generator = SeededGenerator(seed: 7)
    let tablesByteCount = tablesByteCount
    for cut in Cut.sample(Self.cuts, count: 20) where safeFragmentCount(cut) > 0 {
      let start = cut.content(Self.operations)
      var first = MemoryFile(content: start)
      _ = finish(&first, ledger: Self.ledger)
      let repaired = try #require(FinishedMovie(first.content))
      for second in Cut.all(first.operations, tears: 1, losses: 1, using: &generator) {
        var file = MemoryFile(content: second.content(first.operations, from: start))
        let outcome = finish(&file, ledger: Self.ledger)
        #expect(outcome == .finished || outcome == .alreadyFinished, "\(cut), then \(second)")
        let movie = try #require(FinishedMovie(file.content), "\(cut), then \(second)")
        let isSame =
          movie.pictures == repaired.pictures && movie.audio == repaired.audio
          && movie.pictureTicks == repaired.pictureTicks && file.content.suffix(Self.ledger.count) == Self.ledger[...]
        #expect(isSame, "\(cut), then \(second)")
        #expect(file.content.count <= first.content.count + tablesByteCount, "\(cut), then \(second)")
      }
    }
  }

  @Test("a finisher that starts again writes where the one before it did")
  func startsAgainInPlace() throws {
    let whole = try #require(Self.operations.indices.last { Self.operations[$0] == .synchronise })
    let finished = Cut(operationCount: whole + 1).content(Self.operations)
    let tables = try #require(Self.operations.indices.first { Self.operations[$0].offset == recordedByteCount + 8 })
    for count in tables + 1...whole {
      var file = MemoryFile(content: Cut(operationCount: count).content(Self.operations))
      _ = finish(&file, ledger: Self.ledger)
      let isSame = file.content == finished
      #expect(isSame, "\(count) operations")
    }
  }

  private var recordedByteCount: Int { Self.take.recorded().count }

  /// The size of the finished `moov`, including its ledger.
  private var tablesByteCount: Int { Self.take.finished().count - recordedByteCount + Self.ledger.count }

  @Test(
    "after a cut ffprobe opens the file before the repair, with all but one of its safe fragments, and after it",
    arguments: Cases.some(1, of: 0..<4))
  func ffprobeOpens(quarter: Int) throws {
    // ffprobe refuses a file with half a header in most cases, which is why a header lies within one sector.
    let cuts = Self.cuts.filter { safeFragmentCount($0) > 0 && !tearsHeader($0) }
    for cut in Cut.sample(cuts, count: 48).dropFirst(quarter * 12).prefix(12) {
      let safe = safeFragmentCount(cut)
      var file = MemoryFile(content: cut.content(Self.operations))
      #expect(try pictureCount(file.content) >= (safe - 1) * 5, "\(cut)")
      _ = finish(&file)
      #expect(try pictureCount(file.content) >= safe * 5, "\(cut)")
    }
  }

  private func tearsHeader(_ cut: Cut) -> Bool {
    guard cut.tornByteCount > 0, case .write(_, let bytes) = Self.operations[cut.operationCount] else { return false }
    return Self.headers.contains(bytes)
  }

  private func pictureCount(_ content: [UInt8]) throws -> Int {
    try withFile(content, "mov") { path in
      let text = try ForeignProgram.text(
        "ffprobe",
        [
          "-v", "error", "-count_packets", "-select_streams", "v", "-show_entries",
          "stream=nb_read_packets", "-of", "csv=p=0", path,
        ])
      return Int(text.trimmingPrefix(/\s/).prefix { $0.isNumber }) ?? 0
    }
  }
}
