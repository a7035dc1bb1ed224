import Base

extension Instant {
  init(milliseconds: UInt64) { self.init(milliseconds * 1_000_000) }
}
