import Base

/// What is known of a receiver.
package enum ReceiverState: BitwiseCopyable, Equatable, Sendable {
  /// No whole sentence lately.
  case silent
  /// It speaks, but has no fix that can be believed.
  case searching
  case fixed(GeoPoint)
}

package struct SatelliteTime: BitwiseCopyable, Equatable, Sendable {
  /// Nanoseconds since 1970-01-01 00:00 UTC.
  package var unixNanoseconds: Int64
  /// When the sentence that says so began to arrive. It is later than that time by what the receiver needs.
  package var arrival: Instant
}

/// Decides what of a receiver's sentences is believed: nonsense, silence and jumps of a receiver cost nothing.
package struct PositionWatch: Sendable {
  /// Dates outside are not believed, such as those of a receiver that counts its weeks from the wrong 1024.
  private let plausibleUnixSeconds: Range<Int64>
  private var lastSentence: Instant?
  private var believed: Sighting?
  private var candidate: Sighting?
  /// Places in a row that fit the candidate.
  private var candidateCount = 0
  private var lastTime: SatelliteTime?
  /// Times in a row that fit the one before.
  private var timeCount = 0
  private var newestQuality: Timed<FixQuality>?
  private var hasAltitude: Bool?
  /// Places that were not believed because nothing moves so fast.
  package private(set) var jumpCount: UInt64 = 0
  /// Times that were not believed: dates that cannot be, and jumps.
  package private(set) var refusedTimeCount: UInt64 = 0

  package init(plausibleUnixSeconds: Range<Int64>) { self.plausibleUnixSeconds = plausibleUnixSeconds }

  /// - Parameter arrival: when its first byte arrived.
  package mutating func take(_ sentence: ReceiverSentence, at arrival: Instant) {
    lastSentence = arrival
    switch sentence {
    case .minimum(let point, let time):
      if let point { consider(Sighting(point: point, at: arrival)) } else { candidateCount = 0 }
      consider(time.map { SatelliteTime(unixNanoseconds: $0, arrival: arrival) })
    case .quality(let quality): newestQuality = Timed(value: quality, at: arrival)
    case .dimensions(let hasAltitude): self.hasAltitude = hasAltitude
    case .other: break
    }
  }

  package func state(at now: Instant) -> ReceiverState {
    guard isFresh(lastSentence, at: now) else { return .silent }
    guard let believed, isFresh(believed.at, at: now) else { return .searching }
    return .fixed(believed.point)
  }

  /// How good the fix is; nothing of it is known without one. Without a third dimension the altitude is a guess.
  package func quality(at now: Instant) -> FixQuality {
    guard case .fixed = state(at: now), var quality = newestQuality, isFresh(quality.at, at: now) else {
      return FixQuality()
    }
    if hasAltitude != true { quality.value.altitudeDecimetres = nil }
    return quality.value
  }

  /// The newest time that can be believed.
  package func time(at now: Instant) -> SatelliteTime? {
    guard let lastTime, timeCount >= Self.sightingCount, isFresh(lastTime.arrival, at: now) else { return nil }
    return lastTime
  }

  private func isFresh(_ instant: Instant?, at now: Instant) -> Bool {
    guard let instant else { return false }
    return now <= instant || now - instant < Self.freshNanoseconds
  }

  private mutating func consider(_ sighting: Sighting) {
    if let believed, believed.leads(to: sighting) {
      self.believed = sighting
      candidateCount = 0
      return
    }
    if believed != nil { jumpCount += 1 }
    let fits = candidateCount > 0 && candidate.map { $0.leads(to: sighting) } ?? false
    candidateCount = fits ? candidateCount + 1 : 1
    candidate = sighting
    guard candidateCount >= Self.sightingCount else { return }
    believed = sighting
    candidateCount = 0
  }

  private mutating func consider(_ time: SatelliteTime?) {
    guard let time else { return timeCount = 0 }
    guard plausibleUnixSeconds.contains(time.unixNanoseconds / 1_000_000_000) else {
      refusedTimeCount += 1
      return timeCount = 0
    }
    var fits = false
    if let lastTime, time.arrival >= lastTime.arrival {
      // The same sentence again, or that of each system: only that it does not stand still counts.
      let again = lastTime.arrival + Self.timeJitterNanoseconds
      if time.unixNanoseconds == lastTime.unixNanoseconds, time.arrival < again { return }
      let told = time.unixNanoseconds - lastTime.unixNanoseconds
      let passed = Int64(clamping: time.arrival - lastTime.arrival)
      let difference = told.distance(to: passed).magnitude
      fits = told > 0 && difference < Self.timeJitterNanoseconds
      if difference >= Self.timeJumpNanoseconds, timeCount >= Self.sightingCount { refusedTimeCount += 1 }
    }
    timeCount = fits ? min(timeCount + 1, Self.sightingCount) : 1
    lastTime = time
  }

  /// Places or times in a row that fit each other before they are believed: 5 s of a usual receiver.
  package static var sightingCount: Int { 5 }

  /// How long a fix or a sentence counts. Some receivers leave out a few seconds while they are busy.
  package static var freshNanoseconds: UInt64 { 10_000_000_000 }

  /// How unevenly sentences may arrive: half the interval of a usual receiver.
  private static var timeJitterNanoseconds: UInt64 { 500_000_000 }

  /// What no uneven reading explains: arrivals are known to a second or two.
  private static var timeJumpNanoseconds: UInt64 { 3_000_000_000 }
}

private struct Timed<Value: BitwiseCopyable & Sendable>: BitwiseCopyable, Sendable {
  var value: Value
  var at: Instant
}

/// A place and when it was told.
private struct Sighting: BitwiseCopyable, Sendable {
  var point: GeoPoint
  var at: Instant

  /// Whether something can have moved from here to there: at 300 m/s, an airliner's speed, and 300 m of error.
  func leads(to next: Sighting) -> Bool {
    let seconds = next.at > at ? Double(next.at - at) / 1e9 : 0
    let most = 300 * (seconds + 1)
    return point.squareMetres(to: next.point) <= most * most
  }
}

extension GeoPoint {
  /// The square of the distance, as if the earth were flat: good enough for what moves in seconds.
  fileprivate func squareMetres(to other: GeoPoint) -> Double {
    let north = Double(other.latitude) - Double(latitude)
    let turn = (Double(other.longitude) - Double(longitude)).magnitude
    // The cosine by its series, within 0.001 up to the poles.
    let angle = Double(latitude) * 1e-7 * .pi / 180
    let square = angle * angle
    let cosine = max(1 - square / 2 * (1 - square / 12 * (1 - square / 30)), 0)
    let east = min(turn, 3_600_000_000 - turn) * cosine
    // 111 195 m are a degree of a sphere of the earth's size.
    return (north * north + east * east) * 0.0111195 * 0.0111195
  }
}
