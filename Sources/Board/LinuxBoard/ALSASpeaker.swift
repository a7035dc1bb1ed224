import Port
import CLinux
import Values
import Text

/// A sound card's playback side through alsa-lib.
public struct ALSASpeaker: Speaker, ~Copyable {
  private var playback: ALSAPlayback?
  private var deviceName = FixedText<64>()

  init() {}

  /// Takes what the card offers nearest to `request`: the first possible sample format, then channels, then rate.
  public mutating func open(_ request: SoundCardRequest) throws(DeviceFailure) -> AudioFormat {
    close()
    deviceName = request.deviceName
    do throws(ALSAError) {
      let opened = try DeviceArena.serve { () throws(ALSAError) in try ALSAPlayback(request) }
      let format = opened.format
      playback = consume opened
      return format
    } catch {
      throw Self.remedies.failureToOpen(deviceName, error)
    }
  }

  /// The instant of the next frame is the card's stamp and what was queued then: as exact as the driver's position.
  public mutating func look() throws(DeviceFailure) -> SpeakerState {
    do throws(ALSAError) {
      guard let state = try playback?.look() else { throw ALSAError(result: -Int(ENODEV)) }
      return state
    } catch {
      throw Self.remedies.failureToGoOn(deviceName, error)
    }
  }

  /// Copies into the card's own buffer where it can be mapped; takes nothing from the heap.
  public mutating func write(_ frames: RawSpan) throws(DeviceFailure) -> Int {
    do throws(ALSAError) {
      guard let frameCount = try playback?.write(frames) else { throw ALSAError(result: -Int(ENODEV)) }
      return frameCount
    } catch {
      throw Self.remedies.failureToGoOn(deviceName, error)
    }
  }

  /// The card stays open and ready.
  public mutating func stop() { playback?.stop() }

  /// What has not sounded is lost.
  public mutating func close() {
    DeviceArena.serve { playback = nil }
  }

  private static var remedies: CardRemedies {
    CardRemedies(
      device: .speaker, whenAbsent: "plug it in, or set [speaker] device; aplay -L lists them",
      whenUnsupported: "set [speaker] device to the same card behind plughw:, which converts",
      otherwise: "unplug it and plug it in again, or set [speaker] device")
  }
}
