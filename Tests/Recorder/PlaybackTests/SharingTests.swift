import Base
import Machine
import TestSupport
import Testing

@testable import Playback

@Suite struct SharingTests {
  @Test(
    "A shared song is heard from its first frame by all: in the ring at its instant, and at the own speaker so much later",
    arguments: [100, 1000] as [UInt32])
  func inStep(delayMilliseconds: UInt32) throws {
    let rig = try SharingRig(delayMilliseconds: delayMilliseconds)
    try rig.share("a.wav", seconds: 3)
    rig.exchange(250)
    #expect(rig.shared.filter { $0 != 0 } == Array(1...144_000))
    #expect(rig.player.heardDifference(from: Array(1...144_000)) == nil)
    let firstShared = try #require(rig.shared.firstIndex(of: 1))
    let own = try #require(rig.instant(ofHeard: 1))
    let due = rig.epoch + UInt64(firstShared) * 1_000_000_000 / 48_000 + UInt64(delayMilliseconds) * 1_000_000
    #expect(abs(due.distance(to: own)) <= 1_000_000_000 / 48_000)
    #expect(rig.player.player.status.underrunCount == 0)
  }

  @Test("A pause and a seek are everybody's, and time goes on meanwhile")
  func pausesForAll() throws {
    let rig = try SharingRig(delayMilliseconds: 200)
    try rig.share("a.wav", seconds: 10)
    rig.exchange(50)
    try rig.player.player.pause()
    rig.exchange(50)
    let count = rig.shared.count
    #expect(rig.shared.suffix(19_200).allSatisfy { $0 == 0 })
    try rig.player.player.play()
    rig.exchange(50)
    let heard = rig.shared.filter { $0 != 0 }
    #expect(heard == Array(1...UInt32(heard.count)))
    #expect(rig.shared.count == count + 48_000)
    try rig.player.player.seek(seconds: 8)
    rig.exchange(50)
    #expect(rig.shared.contains(384_001) && rig.player.heard.contains(384_001))
    #expect(rig.player.heard == Array(rig.shared.filter { $0 != 0 }.prefix(rig.player.heard.count)))
  }

  @Test("The next item, the volume and another start are everybody's as well, each at the same frame for all")
  func changesForAll() throws {
    let rig = try SharingRig(delayMilliseconds: 200)
    let player = rig.player
    try player.player.append(player.file("a.wav", seconds: 5))
    try player.player.append(player.file("b.wav", firstNumber: 1_000_001, seconds: 5))
    try player.player.play()
    rig.sharing.begin(nil)
    rig.exchange(50)
    try player.player.goToNext()
    rig.exchange(50)
    #expect(rig.shared.contains(1_000_001))
    try player.player.setVolume(0)
    rig.exchange(50)
    #expect(rig.shared.suffix(19_200).allSatisfy { $0 == 0 })
    try player.player.setVolume(1)
    try player.player.goToPrevious()
    rig.exchange(50)
    #expect(rig.shared.suffix(4_800).contains { (1..<240_001).contains($0) })
    // The local speaker has played the same frames in the same order, with that delay.
    #expect(player.heard == Array(rig.shared.filter { $0 != 0 }.prefix(player.heard.count)))
  }

  @Test(
    "The microphone's format is kept where its rate is the same, and the speaker plays alone when sharing has ended")
  func keepsFormat() throws {
    let microphone = AudioFormat(sampleRateHz: 48_000, channelCount: 1, sampleFormat: .int24)
    let rig = try SharingRig(delayMilliseconds: 200)
    try rig.share("a.wav", seconds: 10, microphone)
    rig.exchange(50)
    #expect(rig.tap.bytesPerFrame == 3)
    rig.sharing.end()
    rig.exchange(10)
    #expect(rig.sharing.state == .off && rig.sharing.status.epoch == nil)
    let before = rig.player.heard.count
    rig.exchange(50)
    #expect(rig.player.heard.count > before + 40_000)
    // A change of sample rate cannot be handled.
    rig.sharing.begin(AudioFormat(sampleRateHz: 96_000, channelCount: 1, sampleFormat: .int24))
    rig.exchange(20)
    #expect(rig.tap.bytesPerFrame == 4)
  }
}

/// A player whose sound is shared, and a reader of the shared sound.
final class SharingRig {
  let player: PlayerRig
  var sharing: SoundSharing
  let tap: SampleRingTap
  /// The numbers of the frames in the ring since the first one; 0 is silence. Only for the player's format.
  private(set) var shared: [UInt32] = []
  private var position: TimelinePosition = 0

  init(delayMilliseconds: UInt32) throws {
    player = try PlayerRig()
    var memory = leakedBootMemory()
    let format = PlayerRig.frames
    let ring = try unwrapped(
      SampleRing(
        capacityBytes: SharedCard.ringByteCount(format, delayMilliseconds: delayMilliseconds),
        bytesPerFrame: format.bytesPerFrame, in: &memory))
    tap = ring.tap
    let request = SoundCardRequest(
      deviceName: "hw:0", sampleRateHz: 48_000, channelCount: 2, sampleFormat: .int16, bufferMilliseconds: 200)
    sharing = try SoundSharing(ring, format, speaker: request, delayMilliseconds: delayMilliseconds, in: &memory)
  }

  var epoch: Instant { sharing.status.epoch ?? 0 }

  func share(_ path: String, seconds: Double, _ microphone: AudioFormat? = nil) throws {
    try player.player.prepare(player.file(path, seconds: seconds))
    try player.player.play()
    sharing.begin(microphone)
  }

  func exchange(_ count: Int) {
    for _ in 0..<count {
      player.card.advance(frameCount: 960)
      sharing.step(&player.player, &player.speaker, at: player.card.now)
      _ = player.deviceWorker.step()
      player.work()
      while player.player.nextEvent() != nil {}
      guard tap.bytesPerFrame == 4 else { continue }
      while position < tap.end {
        let piece = tap.frames(from: position, to: tap.end)
        for frame in 0..<piece.byteCount / 4 {
          shared.append(unsafe piece.unsafeLoadUnaligned(fromByteOffset: 4 * frame, as: UInt32.self))
        }
        position += UInt64(piece.byteCount / 4)
      }
    }
  }

  /// When a number was first heard on the local speaker.
  func instant(ofHeard number: UInt32) -> Instant? {
    guard let first = player.card.heardNumbers.firstIndex(of: number),
      let run = player.card.beginnings.last(where: { $0.frame <= first })
    else { return nil }
    return run.instant + UInt64(first - run.frame) * 1_000_000_000 / 48_000
  }
}
