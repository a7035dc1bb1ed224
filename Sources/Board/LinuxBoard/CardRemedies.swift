import Port
import CLinux
import Posix
import Text

/// What a person can do about one direction of a card, where that differs between the two.
struct CardRemedies {
  var device: Device
  var whenAbsent: StaticString
  var whenUnsupported: StaticString
  var otherwise: StaticString

  /// What was found when the card was opened.
  func failureToOpen(_ name: FixedText<64>, _ error: ALSAError) -> DeviceFailure {
    let isForbidden = error.systemErrorNumber == ENOENT && Self.isSoundForbidden
    return failure(name, "cannot be opened", isForbidden ? EACCES : error.systemErrorNumber)
  }

  /// What an open card answered.
  func failureToGoOn(_ name: FixedText<64>, _ error: ALSAError) -> DeviceFailure {
    // Some plugins say of a card that was unplugged that it is in a bad state.
    failure(name, "stopped", error.systemErrorNumber == EBADFD ? ENODEV : error.systemErrorNumber)
  }

  private func failure(
    _ name: FixedText<64>, _ problem: StaticString, _ systemErrorNumber: Int32
  ) -> DeviceFailure {
    let kind = DeviceFailure.Kind(systemErrorNumber: systemErrorNumber)
    let remedy: StaticString =
      switch kind {
      case .absent: whenAbsent
      case .noPermission: "add the recorder's user to the group audio"
      case .busy: "end the program that holds it"
      case .unsupported: whenUnsupported
      default: otherwise
      }
    return DeviceFailure(
      device: device, kind: kind, subject: name, problem: problem, remedy: remedy,
      systemErrorNumber: systemErrorNumber)
  }

  /// Whether there is a card that we may not open: alsa-lib says of such a card that it does not exist.
  private static var isSoundForbidden: Bool {
    for card in 0..<8 {
      let control: FixedText<32> = "/dev/snd/controlC\(card)"
      let isThereButClosed = unsafe control.withCString { unsafe access($0, F_OK) == 0 && access($0, R_OK | W_OK) != 0 }
      if isThereButClosed { return true }
    }
    return false
  }
}
