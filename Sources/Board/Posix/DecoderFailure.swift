import Port
import CLinux
import Text

/// What a decoder's process did that it should not have.
func decoderFailure(
  _ problem: StaticString, _ remedy: StaticString, kind: DeviceFailure.Kind = .failed,
  subject: FixedText<64> = "fieldcorder-decode", systemErrorNumber: Int32 = 0
) -> DeviceFailure {
  DeviceFailure(
    device: .decoder, kind: kind, subject: subject, problem: problem, remedy: remedy,
    systemErrorNumber: systemErrorNumber)
}

/// A process that ended, which it never does unless it is told to.
func decoderFailure(_ ending: ProcessEnding) -> DeviceFailure {
  let remedy: StaticString =
    switch ending {
    case .exit(126), .exit(127): "install the packages that the README lists"
    default: "it is started again"
    }
  return decoderFailure(ending.problem, remedy, subject: "fieldcorder-decode (\(ending.name))")
}
