import CFFmpeg
import Decoding
import Posix

/// Follows the orders of a recorder that gave no ring: it only probes files.
struct ProbeSession: ~Copyable {
  private let socket: OrderSocket

  init(socket: consuming OrderSocket) { self.socket = socket }

  func run() {
    socket.send(.ready)
    while let received = socket.receive() {
      let order = received.order
      Sandbox.renewTime()
      if case .probe(let requestID) = order { socket.send(ItemProbe.answer(received.file, requestID: requestID)) }
    }
  }
}

/// Examines a file without playing it.
enum ItemProbe {
  static func answer(_ file: consuming FileDescriptor?, requestID: UInt32) -> DecoderMessage {
    do throws(DecoderRefusal) {
      guard let file else { throw .unreadable }
      return .opened(requestID: requestID, try properties(InputPlace(file)), PacketReading())
    } catch {
      return .refused(requestID: requestID, error)
    }
  }

  private static func properties(_ input: consuming InputPlace) throws(DecoderRefusal) -> ItemProperties {
    input.setDeadline(nanosecondsFromNow: OpenItem.openingNanoseconds)
    do throws(DecoderRefusal) {
      var file = unsafe try SoundFile(input.pointer)
      let measure = unsafe try ItemMeasure(&file, input.pointer.pointee, .duration)
      _ = unsafe try ItemDecoder(file.parameters, timeBase: file.timeBase)
      return measure.properties(file)
    } catch {
      throw unsafe SoundFile.reason(error, input.pointer)
    }
  }
}
