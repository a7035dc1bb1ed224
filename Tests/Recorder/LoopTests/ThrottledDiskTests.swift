import Base
import Configuration
import Foundation
import Machine
import TestSupport
import Testing

@testable import App

/// Whether `selftest card` predicts which disks lose a part of a take.
@Suite struct ThrottledDiskTests {
  /// A disk drawn from a seed, on either side of what a take needs.
  private struct DrawnDisk: CustomStringConvertible {
    /// Its write speed, as a multiple of a take's data rate.
    let speed: Double
    /// The length of its stalls, and the time between them in seconds' worth of a take.
    let stallSeconds: Double
    let stallEvery: Double

    /// The share of its time that a take needs: writing and stalls.
    var load: Double { 1 / speed + stallSeconds / stallEvery }

    /// Borderline disks are left out, because both answers are correct for them. The test allows a load of nine tenths
    /// and stalls of 5 s, and the rings hold 2 s more, which a take may or may not have when a stall comes.
    var isOnEdge: Bool { (0.85...1.2).contains(load) || (4.3...8.5).contains(stallSeconds) }

    init(seed: UInt64) {
      var generator = SplitMix64(seed: seed)
      var drawn = DrawnDisk(from: &generator)
      while drawn.isOnEdge { drawn = DrawnDisk(from: &generator) }
      self = drawn
    }

    private init(from generator: inout SplitMix64) {
      speed = pow(2, Double.random(in: -1...3, using: &generator))
      let stalls = Bool.random(using: &generator)
      stallSeconds = stalls ? Double.random(in: 0.2...12, using: &generator) : 0
      stallEvery = Double.random(in: 8...15, using: &generator)
    }

    func disk(bytesPerSecond: Double) -> SimDisk {
      var disk = SimDisk()
      disk.bytesPerSecond = UInt64(bytesPerSecond * speed)
      disk.stallNanoseconds = UInt64(stallSeconds * 1e9)
      disk.stallByteCount = stallSeconds > 0 ? UInt64(bytesPerSecond * stallEvery) : 0
      return disk
    }

    var description: String { "speed \(speed), stalls of \(stallSeconds) s every \(stallEvery) s" }
  }

  /// Pictures of the size for which a take's rate is planned.
  private static let pictureByteCount = 128 * 96 / 4
  private static let bytesPerSecond = Double(16_000 + 25 * pictureByteCount)

  private func rig(_ drawn: DrawnDisk, seed: UInt64) throws -> ApplianceRig {
    let rig = try ApplianceRig(seed: seed) { settings in
      settings.record.prerollSeconds = 0
      settings.loop.tickMilliseconds = 20
    } onBoard: { board in
      (board.widthPixels, board.heightPixels) = (128, 96)
      board.numberByteCount = Self.pictureByteCount
    }
    rig.run(milliseconds: 1_000)
    rig.appliance.loop.machine.simulatedWorld!.disk = drawn.disk(bytesPerSecond: Self.bytesPerSecond)
    return rig
  }

  private func verdict(_ drawn: DrawnDisk, seed: UInt64) throws -> String {
    let rig = try rig(drawn, seed: seed)
    let reply = SelfTestTests.reply(rig, "selftest card")
    #expect(reply.last == "ok", "\(reply)")
    return reply.first?.split(whereSeparator: { $0 == " " || $0 == ":" }).dropFirst().first.map(String.init) ?? ""
  }

  /// The truth: records on such a disk until something is lost, at most 70 s. At the least load beyond the borderline,
  /// the backlog grows by a fifth of what was written, from half a second to the 7 s of the rings within 40 s.
  private func losesAPart(_ drawn: DrawnDisk, seed: UInt64) throws -> Bool {
    let rig = try rig(drawn, seed: seed)
    rig.run("record start", milliseconds: 5_000)
    for _ in 0..<13 {
      let status = try rig.status()
      let pictures = status["dropped_video_frames"] as? Int ?? 0
      if pictures > 0 || status["audio_overruns"] as? Int ?? 0 > 0 { return true }
      rig.run(milliseconds: 5_000)
    }
    return false
  }

  @Test("all disks that seeds draw are judged as takes on them turn out")
  func all() throws {
    var counts: [String: Int] = [:]
    for seed in Cases.some(15, of: 1...50 as ClosedRange<UInt64>) {
      let drawn = DrawnDisk(seed: seed)
      let verdict = try verdict(drawn, seed: seed)
      let loses = try losesAPart(drawn, seed: seed)
      counts[verdict, default: 0] += 1
      #expect(
        (verdict == "no") == loses, "seed \(seed), \(drawn): \(verdict), and a take \(loses ? "has" : "has no") gaps")
      // Far from the borderline the verdict is never `tight`.
      if drawn.load < 0.45, drawn.stallSeconds < 2 { #expect(verdict == "yes", "seed \(seed), \(drawn)") }
      if drawn.load > 0.55, !loses { #expect(verdict == "tight", "seed \(seed), \(drawn)") }
    }
    // Each answer occurs often enough to be meaningful.
    for verdict in ["yes", "tight", "no"] { #expect(counts[verdict, default: 0] >= Cases.count(1, of: 5), "\(counts)") }
  }
}
