import Base
import Foundation
import Testing
import Wire

@testable import Machine

/// A receiver's driver on a pseudo-terminal.
@Suite struct LinuxReceiverTests {
  /// A pseudo-terminal behind a name that stays when it is pulled, as one by udev does.
  private final class Port {
    let path: String
    private var master: Int32 = -1
    private var replica: Int32 = -1

    init() throws {
      path = NSTemporaryDirectory() + "receiver-\(UUID().uuidString.prefix(8))"
      try plugIn()
    }

    deinit { pull() }

    func plugIn() throws {
      var name = [CChar](repeating: 0, count: 128)
      try #require(unsafe openpty(&master, &replica, &name, nil, nil) == 0)
      try #require(unsafe symlink(name, path) == 0)
    }

    func pull() {
      unsafe unlink(path)
      for number in [master, replica] where number >= 0 { close(number) }
      (master, replica) = (-1, -1)
    }

    func send(_ text: String) {
      let bytes = Array(text.utf8)
      _ = unsafe Foundation.write(master, bytes, bytes.count)
    }

    /// Sends whole sentences.
    func send(second: Int) {
      let clock = "1205\(second < 10 ? "0" : "")\(second).00"
      for body in [
        "GPRMC,\(clock),A,3733.9900,N,12658.6800,E,0.0,,231126,,,A",
        "GPGGA,\(clock),3733.9900,N,12658.6800,E,1,09,0.9,45.3,M,19.6,M,,", "GPGSA,A,3,01,02,03,,,,,,,,,,1.7,0.9,1.4",
      ] {
        let sum = body.utf8.reduce(0, ^)
        send("$\(body)*" + String(sum >> 4, radix: 16) + String(sum & 15, radix: 16) + "\r\n")
      }
    }

    var mode: termios {
      var mode = termios()
      unsafe tcgetattr(replica, &mode)
      return mode
    }
  }

  private func receiver(_ port: Port) -> LinuxReceiver {
    LinuxReceiver(SerialDevice(path: FixedText(port.path), baudRate: 9600, device: .receiver))
  }

  private func fix(_ report: ReceiverReport?) -> GeoPoint? {
    if case .fixed(let point) = report?.state { point } else { nil }
  }

  @Test("without a port there is no receiver")
  func none() throws {
    var receiver = LinuxReceiver(nil)
    let report = try receiver.read()
    #expect(report == nil)
  }

  @Test("the port is raw at the configured speed, and reading it never waits")
  func mode() throws {
    let port = try Port()
    var receiver = receiver(port)
    let report = try receiver.read()
    #expect(report?.sentenceCount == 0)
    var mode = port.mode
    let speed = unsafe cfgetispeed(&mode)
    #expect(speed == speed_t(B9600))
    #expect(mode.c_lflag & tcflag_t(ICANON | ECHO | ISIG) == 0 && mode.c_iflag & tcflag_t(ICRNL | IXON) == 0)
  }

  @Test("five places that fit are a fix; torn and binary bytes between them are not")
  func sentences() throws {
    let port = try Port()
    var receiver = receiver(port)
    _ = try receiver.read()
    port.send("712,A,3733\r\n\u{1}b$GPRMC,12")
    for second in 0..<5 {
      port.send(second: second)
      _ = try receiver.read()
    }
    let report = try receiver.read()
    #expect(fix(report) == GeoPoint(latitude: 375_665_000, longitude: 1_269_780_000))
    #expect(report?.sentenceCount == 15 && report?.errorCount == 1)
    #expect(report?.quality == FixQuality(satelliteCount: 9, dilution: 90, altitudeDecimetres: 453))
    // Seconds that pass within milliseconds are not believed.
    #expect(report?.time == nil)
  }

  @Test("a receiver that is pulled is told as unplugged, then as missing, and comes back by itself")
  func pulled() throws {
    let port = try Port()
    var receiver = receiver(port)
    for second in 0..<5 {
      port.send(second: second)
      _ = try receiver.read()
    }
    port.pull()
    var problems: [String] = []
    for _ in 0..<3 {
      do throws(DeviceFailure) { _ = try receiver.read() } catch { problems.append("\(error.kind) \(error.problem)") }
    }
    #expect(problems.first?.hasSuffix("was unplugged") == true)
    #expect(problems.dropFirst().allSatisfy { $0 == "absent cannot be opened" } && problems.count == 3, "\(problems)")
    try port.plugIn()
    _ = try receiver.read()
    port.send(second: 9)
    let report = try receiver.read()
    #expect(report?.sentenceCount == 18 && fix(report) != nil)
  }

  @Test("what is no serial line is refused with what to do")
  func notALine() {
    var receiver = LinuxReceiver(SerialDevice(path: "/dev/null", baudRate: 9600, device: .receiver))
    do throws(DeviceFailure) {
      _ = try receiver.read()
      Issue.record("it was opened")
    } catch {
      let line = "\(error.line)"
      #expect(line.hasPrefix("receiver /dev/null is not a serial line"), "\(line)")
    }
  }
}
