import Base
import Machine
import Wire

/// Reports now and then that a seek is still under way, so that the recorder goes on waiting.
struct SearchReporter: BitwiseCopyable {
  /// Well within the time that the recorder waits for a sign of life.
  private static var intervalNanoseconds: UInt64 { 400_000_000 }

  private let socket: Int32
  private var due = Instant.max

  init(socket: borrowing OrderSocket) { self.socket = socket.descriptor }

  /// A seek begins.
  mutating func begin() { due = .now + Self.intervalNanoseconds }

  /// To be called for each packet or read of a search.
  mutating func tick() {
    let now = Instant.now
    guard now >= due else { return }
    due = now + Self.intervalNanoseconds
    Sandbox.renewTime()
    OrderSocket(descriptor: socket).send(.searching)
  }
}
