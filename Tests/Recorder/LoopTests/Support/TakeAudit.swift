import Base
import Foundation
import Machine
import TestSupport
import Testing

/// Checks every take of a rig whose devices fail at known times: everything that microphone and camera delivered
/// outside the faults is there, at its place.
struct TakeAudit {
  private let rig: ApplianceRig
  /// When microphone and camera may deliver nothing: during a fault, and while they come back.
  private let faults: [Device: [Range<Instant>]]
  /// When the microphone may deliver noise instead of the world's sound.
  private let noise: [Range<Instant>]
  private let world: WorldSound
  private let comment: Comment

  init(
    _ rig: ApplianceRig, faults: [Device: [Range<Instant>]], noise: [Range<Instant>] = [], _ comment: Comment
  ) {
    self.rig = rig
    self.faults = faults
    self.noise = noise
    self.comment = comment
    world = WorldSound(rig, seconds: Int((rig.now - rig.worldStart) / 1_000_000_000) + 2)
  }

  func expectRight(_ movie: FinishedMovie, _ path: String) throws {
    let origin = try expectSound(withoutNoise(movie), path)
    expectPictures(movie, from: origin, path)
  }

  /// The samples, with silence wherever they may be noise.
  private func withoutNoise(_ movie: FinishedMovie) -> [Int16] {
    let samples = movie.samples
    guard !noise.isEmpty, let origin = roughOrigin(of: samples) ?? pictureOrigin(of: movie) else { return samples }
    return samples.indices.map { index in
      let instant = self.instant(ofFrame: origin + index)
      return noise.contains { $0.contains(instant) } ? 0 : samples[index]
    }
  }

  /// The frame of the world's sound at which a take begins, derived from a picture, for a take that is all noise.
  private func pictureOrigin(of movie: FinishedMovie) -> Int? {
    for (picture, tick) in zip(movie.pictures, movie.pictureTicks) where !NumberedPicture.isStandIn(picture) && tick > 0
    {
      return Int(rig.soundPlace(ofPicture: NumberedPicture.number(of: picture))) - Int(tick)
    }
    return nil
  }

  /// The frame of the world's sound at which a take begins, from a tenth of a second that is found there.
  private func roughOrigin(of samples: [Int16]) -> Int? {
    let length = Int(ApplianceRig.rateHz) / 10
    for start in stride(from: 0, to: samples.count - length, by: length) {
      let piece = samples[start..<start + length]
      guard piece.count(where: { $0 != 0 }) > length / 2, let place = world.place(of: piece, near: nil) else {
        continue
      }
      return place - start
    }
    return nil
  }

  private func instant(ofFrame frame: Int) -> Instant {
    rig.worldStart + UInt64(max(frame, 0)) * 1_000_000_000 / ApplianceRig.rateHz
  }

  /// Expects that every run of samples is the world's, within 15 ms of its place, and that a fault explains every gap.
  /// - Returns: the frame of the world's sound at which the take begins; nil if it has no sound.
  private func expectSound(_ samples: [Int16], _ path: String) throws -> Int? {
    let runs = samples.soundingRuns(silenceFrameCount: 8)
    // A shorter run may match another place by chance.
    guard let first = runs.first(where: { $0.count >= 24 }) else { return nil }
    let origin = try #require(world.place(of: samples[first], near: nil), "\(path) is not the world's, \(comment)")
    for (run, next) in zip(runs, runs.dropFirst() + [samples.count..<samples.count]) {
      let expected = origin + run.lowerBound - first.lowerBound
      let place = world.place(of: samples[run], near: expected)
      #expect(place != nil, "\(path): \(run) is not within 15 ms of \(expected), \(comment)")
      guard next.lowerBound - run.upperBound > 80 else { continue }
      let (from, to) = (expected + run.count, expected + next.lowerBound - run.lowerBound)
      #expect(
        isExplained(from, to, by: .microphone),
        "\(path): silence at \(run.upperBound)..<\(next.lowerBound), \(comment)")
    }
    return origin - first.lowerBound
  }

  /// Expects the camera's pictures in order and at their place; a fault must explain every missing one. During a fault
  /// a picture may be repeated.
  private func expectPictures(_ movie: FinishedMovie, from origin: Int?, _ path: String) {
    var last: Int?
    for (picture, tick) in zip(movie.pictures, movie.pictureTicks) where !NumberedPicture.isStandIn(picture) {
      let number = NumberedPicture.number(of: picture)
      let error = origin.map { Double($0) + Double(tick) - rig.soundPlace(ofPicture: number) } ?? 0
      let isInFault = origin.map { isFaulty(.camera, at: instant(ofFrame: $0 + Int(tick))) } ?? true
      if isInFault, number <= last ?? -1 || error.magnitude > 320 { continue }
      if let last, number != last + 1 {
        #expect(number > last, "\(path): picture \(number) after \(last), \(comment)")
        let (from, to) = (rig.soundPlace(ofPicture: last + 1), rig.soundPlace(ofPicture: number))
        #expect(
          isExplained(Int(from), Int(to), by: .camera),
          "\(path): pictures \(last + 1)..<\(number) are missing, \(comment)")
      }
      last = number
      // A take's first picture is shown from its first instant.
      if tick > 0 { #expect(error.magnitude <= 320, "\(path): picture \(number) is \(error) off, \(comment)") }
    }
  }

  /// Whether a range of the world's sample frames lies within faults of a device.
  private func isExplained(_ from: Int, _ to: Int, by device: Device) -> Bool {
    var place = instant(ofFrame: from)
    let end = instant(ofFrame: to)
    while let fault = faults[device, default: []].first(where: { $0.contains(place) }) { place = fault.upperBound }
    return place >= end
  }

  private func isFaulty(_ device: Device, at instant: Instant) -> Bool {
    faults[device, default: []].contains { $0.contains(instant) }
  }
}

extension ApplianceRig {
  /// The frame of the world's sound at which these samples were heard; nil if they were not.
  func place(of samples: ArraySlice<Int16>) -> Int? {
    WorldSound(self, seconds: Int((now - worldStart) / 1_000_000_000) + 2).place(of: samples, near: nil)
  }
}

/// All sound that a simulated microphone could have heard.
private struct WorldSound {
  private let samples: [Int16]
  private let bytes: Data

  init(_ rig: ApplianceRig, seconds: Int) {
    let sound = SimSound(
      seed: rig.board.seed, worldStart: 0, sampleRateHz: UInt32(ApplianceRig.rateHz),
      partsPerMillion: rig.board.microphonePartsPerMillion)
    let frameCount = seconds * Int(ApplianceRig.rateHz)
    var bytes = [UInt8](repeating: 0, count: frameCount * 2)
    var span = bytes.mutableSpan
    var space = unsafe span.mutableBytes
    sound.write(frameCount: frameCount, from: 0, as: rig.board.audioFormat, into: &space)
    self.bytes = Data(bytes)
    samples = (0..<frameCount).map { Int16(bitPattern: UInt16(bytes[2 * $0]) | UInt16(bytes[2 * $0 + 1]) << 8) }
  }

  /// The frame at which these samples were heard; nil if they were not.
  /// - Parameter expected: search only within 15 ms of this frame; nil: anywhere.
  func place(of run: ArraySlice<Int16>, near expected: Int?) -> Int? {
    let margin = Int(ApplianceRig.rateHz) * 15 / 1000
    let places = expected.map { max($0 - margin, 0)...max($0 + margin, 0) } ?? 0...samples.count
    let head = Data(run.prefix(24).flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] })
    let last = min(2 * places.upperBound + head.count, bytes.count)
    var from = min(2 * places.lowerBound, last)
    while let found = bytes.range(of: head, in: from..<last) {
      let place = found.lowerBound / 2
      // A loss of a few frames does not count as silence of its own.
      let isHeard = found.lowerBound % 2 == 0 && zip(run, samples[place...]).allSatisfy { $0 == $1 || $0 == 0 }
      if isHeard, place + run.count <= samples.count { return place }
      from = found.lowerBound + 1
    }
    return nil
  }
}

extension [Int16] {
  /// The ranges between silences of at least this many frames.
  fileprivate func soundingRuns(silenceFrameCount: Int) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    for index in indices where self[index] != 0 {
      if let last = runs.last, index - last.upperBound < silenceFrameCount {
        runs[runs.count - 1] = last.lowerBound..<index + 1
      } else {
        runs.append(index..<index + 1)
      }
    }
    return runs
  }
}
