import Foundation

/// The index of the first difference of two byte sequences, or the shorter one's end; nil if they are equal.
package func firstDifference(_ one: some Collection<UInt8>, _ other: some Collection<UInt8>) -> Int? {
  let one = ContiguousArray(one)
  let other = ContiguousArray(other)
  if one == other { return nil }
  return (0..<min(one.count, other.count)).first { one[$0] != other[$0] } ?? min(one.count, other.count)
}

/// The signal-to-noise ratio in decibels of two sequences of 32-bit floating-point samples, over the length of the
/// shorter one. The noise is their difference; infinite if they are equal.
package func signalToNoiseDecibels(_ reference: some Collection<UInt8>, _ heard: some Collection<UInt8>) -> Double {
  var signal = 0.0
  var noise = 0.0
  for (expected, actual) in zip(floats(reference), floats(heard)) {
    signal += Double(expected) * Double(expected)
    noise += (Double(expected) - Double(actual)) * (Double(expected) - Double(actual))
  }
  return noise == 0 ? .infinity : 10 * log10(signal / noise)
}

/// Little-endian 32-bit floating-point numbers.
package func floats(_ bytes: some Collection<UInt8>) -> ContiguousArray<Float> {
  let bytes = ContiguousArray(bytes)
  var result: ContiguousArray<Float> = []
  result.reserveCapacity(bytes.count / 4)
  for index in 0..<bytes.count / 4 {
    let bits = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[index * 4 + $1]) << UInt32(8 * $1) }
    result.append(Float(bitPattern: bits))
  }
  return result
}

/// Little-endian 16-bit integers.
package func shorts(_ bytes: some Collection<UInt8>) -> ContiguousArray<Int16> {
  let bytes = ContiguousArray(bytes)
  var result: ContiguousArray<Int16> = []
  result.reserveCapacity(bytes.count / 2)
  for index in 0..<bytes.count / 2 {
    result.append(Int16(bitPattern: UInt16(bytes[index * 2]) | UInt16(bytes[index * 2 + 1]) << 8))
  }
  return result
}
