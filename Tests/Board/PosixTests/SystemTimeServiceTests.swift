import Base
import Foundation
import TestSupport
import Testing

@testable import Machine

@Suite struct SystemTimeServiceTests {
  /// The service, with a shell script of these lines in the folder as its program.
  private func service(
    in folder: borrowing TemporaryFolder, _ script: String, patienceNanoseconds: UInt64 = 8_000_000_000
  ) throws -> SystemTimeService {
    let path = try folder.installScript(script, as: "timedatectl")
    return SystemTimeService(
      program: FixedText(Array(path.utf8).span), patienceNanoseconds: patienceNanoseconds)
  }

  @Test("The program is asked to set the time, in seconds since 1970, without asking for a password")
  func asks() throws {
    let folder = try TemporaryFolder()
    var service = try service(in: folder, "printf '%s' \"$*\" >\(folder.path(of: "words")); exit 0")
    let answer = try service.set(unixSeconds: 1_795_318_200)
    #expect(answer == .done)
    #expect(try folder.read("words") == Array("--no-ask-password set-time @1795318200".utf8))
  }

  @Test("The first line that it says is its reason to refuse, made printable")
  func refuses() throws {
    let folder = try TemporaryFolder()
    var service = try service(in: folder, "printf 'Failed:\\033 not allowed\\nmore\\n' >&2; exit 1")
    let answer = try service.set(unixSeconds: 0)
    #expect(answer == .refused("Failed:  not allowed"))
  }

  private func problem(_ service: inout SystemTimeService) -> String? {
    do throws(DeviceFailure) {
      _ = try service.set(unixSeconds: 0)
      return nil
    } catch {
      return error.problem.description
    }
  }

  @Test("A program that is missing, and one that does not end, are told")
  func fails() throws {
    let folder = try TemporaryFolder()
    var absent = SystemTimeService(program: "/nowhere/timedatectl")
    let absence = problem(&absent)
    #expect(absence == "does not exist")
    var stuck = try service(in: folder, "exec /bin/sleep 60", patienceNanoseconds: 300_000_000)
    let start = Date()
    let silence = problem(&stuck)
    #expect(silence == "does not answer")
    #expect(Date().timeIntervalSince(start) < 30)
  }
}
