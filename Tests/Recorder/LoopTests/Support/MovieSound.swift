import TestSupport

extension FinishedMovie {
  /// Its sound, one channel of 16 bits.
  var samples: [Int16] {
    stride(from: 0, to: audio.count, by: 2).map { Int16(bitPattern: UInt16(audio[$0]) | UInt16(audio[$0 + 1]) << 8) }
  }
}

/// The longest run of digital silence in a movie's sound, in frames.
func longestSilence(in samples: [Int16]) -> Int {
  var (longest, length) = (0, 0)
  for sample in samples {
    length = sample == 0 ? length + 1 : 0
    longest = max(longest, length)
  }
  return longest
}
