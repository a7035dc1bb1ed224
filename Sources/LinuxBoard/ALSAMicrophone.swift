import Board
import CLinux
import Media
import Posix
import Text

/// A sound card's capture side through alsa-lib.
public struct ALSAMicrophone: Microphone, ~Copyable {
  private var capture: ALSACapture?
  private var deviceName = FixedText<64>()

  init() {}

  /// Takes what the card offers nearest to `request`: the first possible sample format, then channels, then rate.
  public mutating func open(_ request: MicrophoneRequest) throws(DeviceFailure) -> AudioFormat {
    close()
    deviceName = request.deviceName
    do throws(ALSAError) {
      let opened = try ALSACapture(request)
      let format = opened.format
      capture = consume opened
      return format
    } catch {
      let isForbidden = error.systemErrorNumber == ENOENT && isSoundForbidden()
      throw failure("cannot be opened", isForbidden ? EACCES : error.systemErrorNumber)
    }
  }

  /// Copies from the card's own buffer where it can be mapped; takes nothing from the heap. After an overrun the card is
  /// started anew, and the next frames come with the number of those that were lost.
  public mutating func read(into room: inout MutableRawSpan) throws(DeviceFailure) -> MicrophoneRead {
    do throws(ALSAError) {
      guard let reading = try capture?.read(into: &room) else { throw ALSAError(result: -Int(ENODEV)) }
      return reading
    } catch {
      throw failure("stopped", error.systemErrorNumber)
    }
  }

  /// Stops the card.
  public mutating func close() { capture = nil }

  private func failure(_ problem: StaticString, _ systemErrorNumber: Int32) -> DeviceFailure {
    let kind = DeviceFailure.Kind(systemErrorNumber: systemErrorNumber)
    let remedy: StaticString =
      switch kind {
      case .absent: "plug it in, or set [audio] device; arecord -L lists them"
      case .noPermission: "add the recorder's user to the group audio"
      case .busy: "end the program that holds it"
      case .unsupported: "set [audio] device to the same card behind plughw:, which converts"
      default: "unplug it and plug it in again, or set [audio] device"
      }
    return DeviceFailure(
      device: .microphone, kind: kind, subject: deviceName, problem: problem, remedy: remedy,
      systemErrorNumber: systemErrorNumber)
  }
}

/// Whether there is a card that we may not open: alsa-lib says of such a card that it does not exist.
private func isSoundForbidden() -> Bool {
  for card in 0..<8 {
    let control: FixedText<32> = "/dev/snd/controlC\(card)"
    let isThereButClosed = unsafe control.withCString { unsafe access($0, F_OK) == 0 && access($0, R_OK | W_OK) != 0 }
    if isThereButClosed { return true }
  }
  return false
}
