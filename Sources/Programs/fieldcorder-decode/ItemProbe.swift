import CFFmpeg
import Decoding
import Posix

/// Tells what a file is, without playing it.
enum ItemProbe {
  static func answer(_ file: consuming FileDescriptor?, ticket: UInt32) -> DecoderMessage {
    do throws(DecoderRefusal) {
      guard let file else { throw .unreadable }
      return .opened(ticket: ticket, try properties(InputPlace(file)), PacketReading())
    } catch {
      return .refused(ticket: ticket, error)
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
