/// A metronome's sound: click number k begins with exactly the sample frame k · interval, rounded down, however long it
/// runs. The interval is a fraction of integers, so that nothing adds up.
package struct ClickTrack: BitwiseCopyable, Sendable {
  /// What it counts.
  package private(set) var rhythm: Rhythm
  private let sampleRateHz: Int
  /// Frames to the next click.
  private var framesLeft = 0
  /// What the rounding has left over, in frames / ``denominator``.
  private var carry = 0
  /// The next click in its bar, 0 for the accent.
  private var index = 0
  private var click: Click

  /// Begins with the accent, at the first frame.
  /// - Parameter sampleRateHz: 8,000…192,000.
  package init(_ rhythm: Rhythm, sampleRateHz: UInt32) {
    self.rhythm = rhythm
    self.sampleRateHz = Int(sampleRateHz)
    click = Click(sampleRateHz: Int(sampleRateHz))
  }

  private var numerator: Int { 60 * 100 * sampleRateHz }
  private var denominator: Int { rhythm.hundredthsPerMinute * rhythm.subdivisions }

  /// Counts something else from now on. The next click comes after the same part of an interval as it would have; a bar of
  /// another length begins with it.
  package mutating func change(to rhythm: Rhythm) {
    guard rhythm != self.rhythm else { return }
    let oldDenominator = denominator
    let isSameBar = rhythm.beats == self.rhythm.beats && rhythm.subdivisions == self.rhythm.subdivisions
    self.rhythm = rhythm
    framesLeft = framesLeft * oldDenominator / denominator
    carry = 0
    if !isSameBar { index = 0 }
  }

  /// Lets a beat begin after this many frames, and counts on from there.
  package mutating func align(nextBeatAfter frames: Int) {
    let beat = (index + rhythm.subdivisions - 1) / rhythm.subdivisions % rhythm.beats
    index = beat * rhythm.subdivisions
    framesLeft = max(0, frames)
    carry = 0
  }

  /// The beat that has begun last, 0 for the accent, for a listener who hears what was rendered later.
  /// - Parameter frames: how much later, in frames, 0 or more.
  package func beat(heardLaterBy frames: Int) -> Int {
    let interval = numerator / denominator
    let missing = frames - (interval - framesLeft)
    let clicksNotHeard = missing <= 0 ? 0 : (missing + interval - 1) / interval
    let clicks = rhythm.beats * rhythm.subdivisions
    let last = (index - 1 - clicksNotHeard) % clicks
    return (last < 0 ? last + clicks : last) / rhythm.subdivisions
  }

  /// Adds the next frames to the first of `samples`.
  package mutating func render(frameCount: Int, into samples: inout MutableSpan<Float>) {
    var start = 0
    while start < frameCount {
      if framesLeft == 0 { begin() }
      let count = min(framesLeft, frameCount - start)
      click.render(into: &samples, start..<start + count)
      framesLeft -= count
      start += count
    }
  }

  private mutating func begin() {
    let (whole, rest) = numerator.quotientAndRemainder(dividingBy: denominator)
    framesLeft = whole
    carry += rest
    if carry >= denominator {
      carry -= denominator
      framesLeft += 1
    }
    click.begin(index == 0 ? .accent : index % rhythm.subdivisions == 0 ? .beat : .between)
    index = (index + 1) % (rhythm.beats * rhythm.subdivisions)
  }
}
