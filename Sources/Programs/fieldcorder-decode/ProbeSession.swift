import Decoding
import Posix

/// Follows the orders of a recorder that gave no ring: what files are is all that there is to say.
struct ProbeSession: ~Copyable {
  private let socket: OrderSocket

  init(socket: consuming OrderSocket) { self.socket = socket }

  func run() {
    socket.send(.ready)
    while let received = socket.receive() {
      let order = received.order
      Sandbox.renewTime()
      if case .probe(let ticket) = order { socket.send(ItemProbe.answer(received.file, ticket: ticket)) }
    }
  }
}
