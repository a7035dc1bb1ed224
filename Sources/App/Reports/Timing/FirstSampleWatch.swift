import Base
import Record

/// How long it takes from the contact of the record button until there is a sample, or a picture without a microphone, of
/// after it: what the card and the loop hold back, and before that the opening of devices that are closed.
struct FirstSampleWatch {
  var times = Histogram()
  /// Until its first sample is there.
  var contact: Instant?
}

extension RecordingService {
  /// At each exchange, once the devices were read.
  mutating func watchFirstSample(at now: Instant) {
    guard let contact = firstSample.contact, !capture.isClosed,
      arrivedPosition > capture.position(at: contact)
    else { return }
    firstSample.times.record(microseconds: now.distance(since: contact) / 1000)
    firstSample.contact = nil
  }
}
