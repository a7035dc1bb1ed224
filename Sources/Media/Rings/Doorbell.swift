/// What wakes whoever sleeps until there is work: a function and what it is called with, so that a module without an
/// operating system underneath can ring. Any thread may, and it never waits.
@safe public struct Doorbell: BitwiseCopyable, @unchecked Sendable {
  // Sound: whoever makes a doorbell promises that the function may be called with the context, by any thread, as long as
  // there are copies of it.
  private let chime: @convention(c) (UnsafeMutableRawPointer?) -> Void
  private let context: UnsafeMutableRawPointer?

  /// Nobody listens: where all take turns on one thread, work is found without.
  public static var silent: Doorbell { unsafe Doorbell(context: nil) { _ in } }

  /// - Parameters:
  ///   - context: what `chime` is called with.
  ///   - chime: may be called by any thread, for the life of the process.
  @unsafe public init(context: UnsafeMutableRawPointer?, chime: @convention(c) (UnsafeMutableRawPointer?) -> Void) {
    unsafe self.context = unsafe context
    unsafe self.chime = unsafe chime
  }

  /// There may be work.
  public func ring() { unsafe chime(context) }
}
