extension ViewStatus {
  /// How many words of 64 bits the status is in shared memory.
  static var wordCount: Int { 8 }

  /// The status as words, each of which is written and read whole.
  var words: InlineArray<8, UInt64> {
    [
      UInt64(isRecording ? 1 : 0) | UInt64(orientation) << 8 | UInt64(faults) << 32,
      takeMilliseconds,
      UInt64(zoomFactor.bitPattern),
      pair(viewfinder.x, viewfinder.y),
      pair(viewfinder.width, viewfinder.height),
      pair(peakDecibels[0], peakDecibels[1]),
      freeByteCount,
      0,
    ]
  }

  /// Takes any words: what no recorder writes becomes the nearest that one may.
  init(words: InlineArray<8, UInt64>) {
    isRecording = words[0] & 1 == 1
    orientation = UInt8(truncatingIfNeeded: words[0] >> 8) % 4
    faults = UInt32(truncatingIfNeeded: words[0] >> 32)
    takeMilliseconds = words[1]
    zoomFactor = first(words[2], within: 1...1_000)
    viewfinder = ViewFraction(
      x: first(words[3], within: 0...1), y: second(words[3], within: 0...1),
      width: first(words[4], within: 0...1), height: second(words[4], within: 0...1))
    peakDecibels = [first(words[5], within: -90...0), second(words[5], within: -90...0)]
    freeByteCount = words[6]
  }
}

private func pair(_ first: Float, _ second: Float) -> UInt64 {
  UInt64(first.bitPattern) | UInt64(second.bitPattern) << 32
}

private func first(_ word: UInt64, within range: ClosedRange<Float>) -> Float {
  clamped(Float(bitPattern: UInt32(truncatingIfNeeded: word)), range)
}

private func second(_ word: UInt64, within range: ClosedRange<Float>) -> Float {
  clamped(Float(bitPattern: UInt32(truncatingIfNeeded: word >> 32)), range)
}

/// What is no number becomes the lower bound.
private func clamped(_ value: Float, _ range: ClosedRange<Float>) -> Float {
  value >= range.lowerBound ? min(value, range.upperBound) : range.lowerBound
}
