import CFFmpeg
import CLinux
import Machine
import Wire

/// Executes the orders of a recorder that plays nothing: only probes files, and extracts lyrics and pictures.
struct ProbeSession: ~Copyable {
  private let socket: OrderSocket
  private let output: ExtractOutput?

  init(socket: consuming OrderSocket, output: ExtractOutput?) {
    self.socket = socket
    self.output = output
  }

  func run() {
    socket.send(.ready)
    while let received = socket.receive() {
      let order = received.order
      Sandbox.renewTime()
      switch order {
      case .probe(let requestID): socket.send(ItemProbe.answer(received.file, requestID: requestID))
      case .extract(let extract, let requestID):
        socket.send(ItemExtract.answer(received.file, extract, requestID: requestID, output))
      default: break
      }
    }
  }
}

/// Extracts lyrics or a picture from a file.
enum ItemExtract {
  /// Time for the card to deliver the bytes, and as long again to decode them: a photograph of 20 megapixels.
  private static let nanoseconds: UInt64 = 4_000_000_000

  static func answer(
    _ file: consuming FileDescriptor?, _ extract: Extract, requestID: UInt32, _ output: ExtractOutput?
  ) -> DecoderMessage {
    do throws(DecoderRefusal) {
      guard let file, let output else { throw .unreadable }
      return .extracted(requestID: requestID, try content(InputPlace(file), extract, output))
    } catch {
      return .refused(requestID: requestID, error)
    }
  }

  private static func content(
    _ input: consuming InputPlace, _ extract: Extract, _ output: ExtractOutput
  ) throws(DecoderRefusal) -> Extracted {
    input.setDeadline(nanosecondsFromNow: nanoseconds)
    if extract == .lyricsText { return unsafe LyricsFile.extract(from: input.pointer, to: output) }
    do throws(DecoderRefusal) {
      let file = unsafe try SoundFile.whole(input.pointer)
      if extract == .artwork { return unsafe ArtworkPicture.extract(from: file, input.pointer, to: output) }
      return unsafe LyricsTags.extract(from: file, input.pointer, to: output)
    } catch {
      throw unsafe SoundFile.reason(error, input.pointer)
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
      var file = unsafe try SoundFile.firstPart(of: input.pointer, .duration)
      let measure = unsafe try ItemMeasure(&file, input.pointer.pointee, .duration)
      _ = unsafe try ItemDecoder(file.parameters, timeBase: file.timeBase, isPCM: false)
      return unsafe measure.properties(file, input.pointer)
    } catch {
      throw unsafe SoundFile.reason(error, input.pointer)
    }
  }
}

/// The shared memory in which the recorder finds extracted lyrics or a picture.
@safe struct ExtractOutput: BitwiseCopyable {
  // Safe: mapped for the life of the process.
  let memory: UnsafeMutableRawBufferPointer

  /// - Returns: nil if the descriptor cannot be mapped or is smaller than a picture.
  init?(descriptor: Int32, byteCount: Int) {
    guard byteCount >= ExtractMemory.byteCount else { return nil }
    let mapped = unsafe mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    guard let start = unsafe mapped, unsafe linux_is_map_failed(start) == 0 else { return nil }
    unsafe memory = UnsafeMutableRawBufferPointer(start: start, count: byteCount)
  }
}
