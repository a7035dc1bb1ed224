import Foundation
import TestSupport
import Testing

/// The device's identity in two folders, with a kill at every call that changes a file.
@Suite final class IdentityTests {
  /// A library that kills the program at the call with the number `KILLED_CALL`, which may take effect or not.
  private static let killer = """
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <stdlib.h>
    #include <sys/types.h>
    #include <unistd.h>
    static int calls;
    static int isLast(void) { const char *n = getenv("KILLED_CALL"); return n && ++calls == abs(atoi(n)); }
    #define CALL(result, name, declared, given) \\
      result name declared { \\
        result (*real) declared = dlsym(RTLD_NEXT, #name); \\
        if (!isLast()) return real given; \\
        if (atoi(getenv("KILLED_CALL")) > 0) real given; \\
        _exit(9); \\
      }
    CALL(ssize_t, pwrite, (int f, const void *b, size_t n, off_t o), (f, b, n, o))
    CALL(int, fsync, (int f), (f))
    CALL(int, fdatasync, (int f), (f))
    CALL(int, ftruncate, (int f, off_t n), (f, n))
    CALL(int, unlinkat, (int d, const char *p, int l), (d, p, l))
    CALL(int, mkdirat, (int d, const char *p, mode_t m), (d, p, m))
    CALL(int, renameat, (int d, const char *p, int e, const char *q), (d, p, e, q))
    """

  private let folder: TemporaryFolder
  private let library: String
  private var configuration: String { "[identity]\ncopy = \(folder.path(of: "boot"))\n" }

  init() throws {
    folder = try TemporaryFolder()
    library = try ForeignProgram.compileLibrary(Self.killer, in: folder)
  }

  /// Both copies, as they are.
  private func copies() -> [String] {
    ["data", "boot"].compactMap { name in
      (try? folder.read("\(name)/identity")).map { String(decoding: $0, as: UTF8.self) }
    }
  }

  private func start(_ script: [String], seed: UInt64, killedAt call: Int? = nil) throws -> (Int32, [String]) {
    let environment = call.map { ["LD_PRELOAD": library, "KILLED_CALL": String($0)] } ?? [:]
    let session = try Session(
      script + ["quit"], seed: seed, configuration: configuration, dataFolder: folder.path(of: "data"),
      environment: environment)
    return (session.end(), try session.lines())
  }

  private func toldIdentity(_ lines: [String]) -> String? {
    lines.first { $0.hasPrefix("identity ") }.map { String($0.dropFirst(9)) }
  }

  private func put(_ text: String, in name: String) throws {
    try FileManager.default.createDirectory(atPath: folder.path(of: name), withIntermediateDirectories: true)
    _ = try folder.write(Array(text.utf8), as: "\(name)/identity")
  }

  private func forget() {
    for name in ["data", "boot"] { try? FileManager.default.removeItem(atPath: folder.path(of: name)) }
  }

  @Test("a first boot that is killed at any call leaves none, or the one that the next boot has in both folders")
  func firstBoot() throws {
    var call = 1
    var killed = 0
    while true {
      for number in [call, -call] {
        forget()
        let (status, _) = try start([], seed: 1, killedAt: number)
        if status == 0 { continue }
        killed += 1
        let left = copies().compactMap { $0.split(separator: "\n").first.map(String.init) }
        // A new identity made from another seed would differ.
        let (next, lines) = try start(["identity"], seed: 2)
        #expect(next == 0)
        let identity = try #require(toldIdentity(lines))
        #expect(left.allSatisfy { $0 == identity }, "call \(number)")
        #expect(copies().map { String($0.prefix(36)) } == [identity, identity], "call \(number)")
      }
      if try start([], seed: 1, killedAt: call).0 == 0 { break }
      call += 1
    }
    #expect(killed >= 12)
  }

  @Test("a reset that is killed at any call leaves the old identity or the new one, the same in both folders")
  func reset() throws {
    forget()
    let old = try #require(toldIdentity(try start(["identity"], seed: 1).1))
    let first = copies()
    var call = 1
    var seen: Set<String> = []
    while true {
      forget()
      for (name, text) in zip(["data", "boot"], first) { try put(text, in: name) }
      let (status, answers) = try start(["identity reset", "identity reset"], seed: 1, killedAt: call)
      let (next, lines) = try start(["identity"], seed: 2)
      #expect(next == 0)
      let identity = try #require(toldIdentity(lines))
      seen.insert(identity)
      #expect(Set(copies()).count == 1, "call \(call)")
      // The first `ok` is the confirmation prompt's.
      if answers.count(where: { $0 == "ok" }) == 2 { #expect(identity != old, "call \(call)") }
      if status == 0 { break }
      call += 1
    }
    #expect(call > 10 && seen.count == 2 && seen.contains(old))
  }

  @Test("a formatted card, and a new boot partition, get the identity of the other, and rubbish in one is told")
  func restores() throws {
    let identity = try #require(toldIdentity(try start(["identity"], seed: 1).1))
    for (name, event) in [
      ("data", "* the identity was missing: it was restored from its copy"),
      ("boot", "* the copy of the identity was missing: it was recreated"),
    ] {
      try FileManager.default.removeItem(atPath: folder.path(of: name))
      let (status, lines) = try start(["identity"], seed: 2)
      #expect(status == 0 && lines.contains(event) && toldIdentity(lines) == identity)
      #expect(Set(copies()).count == 1 && copies().count == 2)
    }
    for (name, event) in [
      ("data", "* the identity could not be read: it was restored from its copy"),
      ("boot", "* the copy of the identity could not be read: it was recreated"),
    ] {
      try put("rubbish", in: name)
      let (status, lines) = try start(["identity"], seed: 2)
      #expect(status == 0 && lines.contains(event) && toldIdentity(lines) == identity)
    }
    #expect(try start(["identity"], seed: 2).1.contains { $0.contains("identity was") } == false)
  }

  @Test("of two identities the older counts in both folders, and that is told")
  func conflict() throws {
    let older = "01234567-89ab-4def-bedc-ba9876543210"
    let younger = "76543210-89ab-4def-bedc-ba9876543210"
    for (name, other) in [("data", "boot"), ("boot", "data")] {
      try put("\(older)\nmade 1770000000\n", in: name)
      try put("\(younger)\nmade 1780000000\n", in: other)
      let (status, lines) = try start(["identity"], seed: 2)
      #expect(status == 0 && toldIdentity(lines) == older)
      #expect(lines.contains { $0.hasPrefix("* two identities, ") && $0.hasSuffix("the older one is used, \(older)") })
      #expect(copies().allSatisfy { $0.hasPrefix(older) } && copies().count == 2)
    }
  }

  @Test("a copy that cannot be kept costs a line, and no take")
  func copyFails() throws {
    _ = try folder.write([], as: "boot")
    let (status, lines) = try start(["record start", "wait 1", "record stop", "identity"], seed: 1)
    #expect(status == 0 && lines.contains { $0.hasPrefix("* storage \(folder.path(of: "boot")) ") })
    #expect(lines.contains { $0.contains(" is complete: ") })
    #expect(toldIdentity(lines) != nil)
  }

  @Test("on a desk identity and key outlive the data folder, private to whoever has them, and takes are still its own")
  func outlivesFolder() throws {
    let state = folder.path(of: "state")
    func start(_ name: String, _ script: [String]) throws -> [String] {
      let session = try Session(
        script + ["quit"], clock: .real, dataFolder: folder.path(of: name), environment: ["XDG_STATE_HOME": state])
      #expect(session.end() == 0)
      return try session.lines()
    }
    let identity = try #require(toldIdentity(try start("one", ["identity", "record start", "wait 1", "record stop"])))
    let key = try folder.read("one/key")
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(of: "state/fieldcorder/key"))
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let lines = try start("two", ["identity"])
    #expect(toldIdentity(lines) == identity && lines.contains("copy in \(state)/fieldcorder"))
    #expect(try folder.read("two/key") == key && folder.read("state/fieldcorder/key") == key)
  }
}
