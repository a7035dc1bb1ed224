import Base
import Wire

/// A receiver's bytes: what is found is a place on the earth, and nothing traps.
func fuzzReceiver(_ input: UnsafeRawBufferPointer) {
  var reader = NMEAReader()
  var watch = PositionWatch(plausibleUnixSeconds: 1_767_225_600..<4_102_444_800)
  var now: UInt64 = 0
  for byte in input {
    now += 10_000_000
    guard let sentence = reader.take(byte) else { continue }
    watch.take(sentence, at: Instant(now))
    _ = watch.quality(at: Instant(now))
    _ = watch.time(at: Instant(now))
    guard case .minimum(let point?, _) = sentence else { continue }
    precondition(point.latitude.magnitude <= 900_000_000 && point.longitude.magnitude <= 1_800_000_000)
  }
}
