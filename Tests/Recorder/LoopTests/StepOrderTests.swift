import Machine
import TestSupport
import Testing

@testable import App

/// The order of the workers' steps.
@Suite struct StepOrderTests {
  private struct Run: Equatable {
    /// How many pictures the encoder had received at each call to the storage.
    var submittedCounts: [Int] = []
    var operations: [DiskOperation] = []
  }

  private static func run(orderSeed: UInt64) throws -> Run {
    let host = TestHost()
    let script = EncoderScript()
    host.encoder = script
    let rig = try ApplianceRig(seed: 1, orderSeed: orderSeed, host: host, pixelFormat: .yuv420) {
      $0.video.codec = .fwht
    }
    var submittedCounts: [Int] = []
    host.disk.beforeCall = { submittedCounts.append(script.submittedSlots.count) }
    rig.run(milliseconds: 1_000)
    rig.run("press record", milliseconds: 1_000)
    for round in 0..<32 {
      // When one of the stalls ends, a picture has just arrived, in any phase of the camera, and there is more to write
      // than one step writes.
      rig.stallStorage(nanoseconds: 1_000_000_000 + UInt64(round % 8) * 5_000_000)
      rig.run(milliseconds: 2_000)
    }
    rig.run("press record", milliseconds: 2_000)
    #expect(rig.quit())
    let movie = try #require(rig.movie(rig.takePaths[0]))
    #expect(movie.pictures.count > 120)
    return Run(submittedCounts: submittedCounts, operations: host.disk.operations)
  }

  @Test("the same seed leaves the same bytes on the disk, and another one changes the order")
  func isDecidedBySeed() throws {
    let runs = try (1...4).map { try Self.run(orderSeed: $0) }
    let again = try Self.run(orderSeed: 1)
    let isSame = again == runs[0]
    #expect(isSame)
    for (index, run) in runs.enumerated() {
      let isUnique = runs[..<index].allSatisfy { $0.submittedCounts != run.submittedCounts }
      #expect(isUnique, "order \(index + 1)")
    }
  }
}
