/// By how much a live stream is made longer or shorter, so that its server's clock and the sound card's agree in the long
/// run: what is in the buffers is kept as it was at first.
///
/// A server whose file is read faster than it is heard is held back by full buffers, and needs no steering: its sound
/// passes unchanged.
package struct FillSteering: BitwiseCopyable, Equatable, Sendable {
  /// What is steered by at most. No one hears it: half a cent.
  package static var longestPartsPerMillion: Double { 300 }
  /// How long the first level is measured, and how fast bursts of the network are forgotten, in seconds.
  private static var settlingSeconds: Double { 60 }
  /// For each second that there is more or less than at first. 200 ppm then settle two seconds beside it, after hours.
  private static var partsPerMillionPerSecond: Double { 100 }

  private var elapsedSeconds = 0.0
  private var meanSeconds = 0.0
  /// What is to be in the buffers; nil while it is measured.
  private var wantedSeconds: Double?
  /// How much longer the sound is to become in parts per million; below 0 shorter.
  package private(set) var partsPerMillion = 0.0

  /// Nothing is known yet.
  package init() {}

  /// Some time has passed.
  /// - Parameters:
  ///   - seconds: how much, above 0.
  ///   - fillSeconds: how much sound is in the buffers.
  ///   - isHeldBack: whether the server had to wait, or has sent all: then there is nothing to steer by.
  package mutating func step(seconds: Double, fillSeconds: Double, isHeldBack: Bool) {
    guard !isHeldBack else {
      self = FillSteering()
      return
    }
    elapsedSeconds += seconds
    // At first the mean of all, later of the newest.
    meanSeconds += (fillSeconds - meanSeconds) * seconds / min(elapsedSeconds, Self.settlingSeconds)
    guard let wantedSeconds else {
      if elapsedSeconds >= Self.settlingSeconds { wantedSeconds = meanSeconds }
      return
    }
    let wanted = (wantedSeconds - meanSeconds) * Self.partsPerMillionPerSecond
    partsPerMillion = min(Self.longestPartsPerMillion, max(-Self.longestPartsPerMillion, wanted))
  }
}
