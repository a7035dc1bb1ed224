import Base
import Foundation
import Machine
import MediaZoo
import Synchronization
import TestSupport
import Testing

/// A thousand damaged files.
@Suite struct MutationTests {
  /// The result for some of the files.
  private struct Outcome {
    var opened = 0
    var refused = 0
    var crashes: [String] = []
    var trouble: [String] = []
  }

  @Test("None of 1,000 damaged files delays the decoder for longer than two seconds, and it plays on after any crash")
  func damaged() throws {
    let outcomes = Mutex<[Outcome]>([])
    let problems = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { part in
      do {
        let outcome = try Self.play(seeds: part * 125..<(part + 1) * 125)
        outcomes.withLock { $0.append(outcome) }
      } catch { problems.withLock { $0.append("part \(part): \(error)") } }
    }
    #expect(problems.withLock { $0 } == [])
    let all = outcomes.withLock { $0 }
    let crashes = all.flatMap(\.crashes)
    print("1,000 damaged files: \(crashes.count) crashes of the decoder", crashes)
    #expect(all.flatMap(\.trouble) == [])
    // Otherwise the damage is too small, or too great, to test anything.
    #expect(all.reduce(0) { $0 + $1.opened } > 200)
    #expect(all.reduce(0) { $0 + $1.refused } > 20)
  }

  private static func play(seeds: Range<Int>) throws -> Outcome {
    let folder = try TemporaryFolder()
    let whole = try Specimen.families.map { family in
      let short = family.of(Signal(frameCount: 20_000), as: "short-\(family.name)")
      return (family.name, [UInt8](try Data(contentsOf: URL(fileURLWithPath: Zoo.shared.path(of: short)))))
    }
    let bench = try DecoderBench(AudioFormat(sampleRateHz: 48_000, channelCount: 2, sampleFormat: .int16))
    var outcome = Outcome()
    for seed in seeds {
      var generator = SeededGenerator(seed: UInt64(seed))
      let (name, bytes) = whole[seed % whole.count]
      let path = try folder.write(Mutation.mutated(bytes, using: &generator), as: "mutated")
      do {
        try play(path, bench, &outcome)
      } catch DecoderBench.Trouble.crashed(let line) {
        outcome.crashes.append("\(name), seed \(seed): \(line)")
        try bench.start()
      } catch {
        outcome.trouble.append("\(name), seed \(seed): \(error)")
        try bench.start()
      }
    }
    return outcome
  }

  private static func play(_ path: String, _ bench: DecoderBench, _ outcome: inout Outcome) throws {
    guard case .success(let properties) = try bench.open(path) else {
      outcome.refused += 1
      return
    }
    outcome.opened += 1
    _ = try bench.play(fillSeconds: 0.25, limitSeconds: 2) { _ in }
    try bench.seek(properties.durationSeconds / 2)
    _ = try bench.play(fillSeconds: 0.25, limitSeconds: 1) { _ in }
  }
}
