/// The reading end of a ``DrawingText``: for the thread that sends what another has drawn.
///
/// The two take turns: the one draws from the moment it is asked until it answers, the other reads from the answer until
/// it asks again.
@safe public struct DrawingPage: BitwiseCopyable {
  // Sound: boot memory outlives every thread, and the queues between the two publish whose turn it is.
  private let memory: UnsafeRawBufferPointer

  init(_ memory: UnsafeRawBufferPointer) { unsafe self.memory = memory }

  /// What was drawn, or a part of it.
  /// - Parameter range: ends where the answer said, or before.
  @_lifetime(borrow self)
  public func bytes(_ range: Range<Int>) -> Span<UInt8> {
    let piece = unsafe memory.bindMemory(to: UInt8.self).extracting(range)
    let span = unsafe Span(_unsafeElements: piece)
    return unsafe _overrideLifetime(span, borrowing: self)
  }
}
