import Base
import CLinux

/// A serial port as configured.
package struct SerialDevice: Sendable {
  /// A device node, such as `/dev/serial0`.
  package var path: FixedText<64>
  /// Bits per second, one of the rates that termios(3) lists.
  package var baudRate: UInt32
  /// What is there: the console or the receiver.
  private let device: Device

  /// Opens nothing: ``TerminalLine`` and ``LinuxReceiver`` do.
  package init(path: FixedText<64>, baudRate: UInt32, device: Device = .console) {
    self.path = path
    self.baudRate = baudRate
    self.device = device
  }

  /// Opens the port in raw mode: 8 data bits, no parity, one stop bit, no flow control, modem lines ignored; a written
  /// `\n` goes out as `\r\n`. While it is open, no other recorder can use it.
  @export(interface)
  func open() throws(DeviceFailure) -> FileDescriptor {
    guard let line = FileDescriptor(path: path, flags: O_RDWR | O_NOCTTY | O_NONBLOCK) else {
      let reason = lastSystemError
      throw reason == EBUSY ? held : failure("cannot be opened", reason)
    }
    guard linux_hold_line(line.number) == 0 else {
      let reason = lastSystemError
      throw reason == EWOULDBLOCK ? held : failure("cannot be locked", reason)
    }
    var mode = termios()
    guard unsafe tcgetattr(line.number, &mode) == 0 else { throw failure("is not a serial line", lastSystemError) }
    unsafe cfmakeraw(&mode)
    mode.c_oflag |= tcflag_t(OPOST | ONLCR)
    mode.c_cflag &= ~(tcflag_t(CSTOPB) | linux_crtscts())
    mode.c_cflag |= tcflag_t(CLOCAL | CREAD)
    guard unsafe cfsetspeed(&mode, baudRate) == 0, unsafe tcsetattr(line.number, TCSANOW, &mode) == 0 else {
      throw failure("does not support this baud rate", lastSystemError)
    }
    return line
  }

  private var held: DeviceFailure {
    DeviceFailure(device: device, kind: .busy, subject: path, problem: "is used by another program", remedy: "end it")
  }

  func failure(_ problem: StaticString, _ systemErrorNumber: Int32) -> DeviceFailure {
    let kind = DeviceFailure.Kind(systemErrorNumber: systemErrorNumber)
    let remedy: StaticString =
      switch kind {
      case .absent where device == .receiver: "plug it in, or set [gps] device"
      case .absent: "plug it in, or start with --console and another"
      case .noPermission: "add the recorder's user to the group dialout"
      case .unsupported where device == .receiver: "set [gps] device and baud as the receiver needs"
      case .unsupported: "give --console a serial port, and [console] baud a usual rate such as 115200"
      case _ where device == .receiver: "check its wires; takes go on without it"
      default: "check the line, or start with --console and another"
      }
    return DeviceFailure(
      device: device, kind: kind, subject: path, problem: problem, remedy: remedy, systemErrorNumber: systemErrorNumber)
  }
}
