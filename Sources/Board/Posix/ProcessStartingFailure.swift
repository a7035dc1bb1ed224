import Port
import CLinux
import Text

/// A program that stands beside ours, and could not be started as a process of its own.
func processStartingFailure(_ device: Device, _ program: FixedText<64>, _ systemErrorNumber: Int32) -> DeviceFailure {
  let remedy: StaticString =
    switch systemErrorNumber {
    case ENOENT, EACCES: "install it beside fieldcorder"
    case EMFILE, ENFILE: "raise LimitNOFILE in the service"
    default: "raise TasksMax and LimitNPROC in the service"
    }
  return DeviceFailure(
    device: device, kind: DeviceFailure.Kind(systemErrorNumber: systemErrorNumber), subject: program,
    problem: "cannot be started", remedy: remedy, systemErrorNumber: systemErrorNumber)
}
