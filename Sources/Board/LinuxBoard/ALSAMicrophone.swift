import Port
import CLinux
import Values
import Text

/// A sound card's capture side through alsa-lib.
public struct ALSAMicrophone: Microphone, ~Copyable {
  private var capture: ALSACapture?
  private var deviceName = FixedText<64>()

  init() {}

  /// Takes what the card offers nearest to `request`: the first possible sample format, then channels, then rate.
  public mutating func open(_ request: SoundCardRequest) throws(DeviceFailure) -> AudioFormat {
    close()
    deviceName = request.deviceName
    do throws(ALSAError) {
      let opened = try DeviceArena.serve { () throws(ALSAError) in try ALSACapture(request) }
      let format = opened.format
      capture = consume opened
      return format
    } catch {
      throw Self.remedies.failureToOpen(deviceName, error)
    }
  }

  /// Copies from the card's own buffer where it can be mapped; takes nothing from the heap. After an overrun the card is
  /// started anew, and the next frames come with the number of those that were lost.
  public mutating func read(into room: inout MutableRawSpan) throws(DeviceFailure) -> MicrophoneRead {
    do throws(ALSAError) {
      guard let reading = try capture?.read(into: &room) else { throw ALSAError(result: -Int(ENODEV)) }
      return reading
    } catch {
      throw Self.remedies.failureToGoOn(deviceName, error)
    }
  }

  /// Stops the card.
  public mutating func close() {
    DeviceArena.serve { capture = nil }
  }

  private static var remedies: CardRemedies {
    CardRemedies(
      device: .microphone, whenAbsent: "plug it in, or set [audio] device; arecord -L lists them",
      whenUnsupported: "set [audio] device to the same card behind plughw:, which converts",
      otherwise: "unplug it and plug it in again, or set [audio] device")
  }
}
