import Base

/// `[monitor]`: who may watch and listen over a network. The recorder itself only needs the socket: the rest is for
/// `fieldcorder-monitor`, which reads the same file.
package struct MonitorSettings: Equatable, Sendable {
  /// The local socket on which `fieldcorder-monitor` waits for the recorder; nil turns listening off.
  package var socket: DeviceName?
  /// The address of this machine on which it serves, such as `0.0.0.0`.
  package var address: DeviceName = "127.0.0.1"
  /// The TCP port, 1…65,535.
  package var port: UInt16 = 8040
  /// The file with the token that every request must carry; nil for one that the program makes.
  package var tokenPath: DeviceName?
  /// The file with the TLS certificates, in PEM; nil for none.
  package var certificatePath: DeviceName?
  /// The file with the certificate's private key.
  package var keyPath: DeviceName?
  /// The most connections, 1…64.
  package var connectionCount: UInt16 = 40
  /// The most connections from one address, 1…64.
  package var connectionsPerAddress: UInt16 = 8
  /// The TCP port that serves Snapcast's players, 1…65,535; nil to serve none.
  package var snapcastPort: UInt16?
  /// The address of this machine that serves them. The protocol has neither encryption nor authentication.
  package var snapcastAddress: DeviceName = "127.0.0.1"
  /// The delay from recording to playing, in milliseconds, 100…10,000.
  package var snapcastBufferMilliseconds: UInt16 = 1000
  /// The most Snapcast players, 1…16.
  package var snapcastClientCount: UInt16 = 8

  /// The file that is sent instead of the microphone's sound; nil for the microphone.
  package var source: DeviceName?

  /// The mount point of the Icecast server to which `fieldcorder-relay` sends the sound; nil for none.
  package var icecast: DeviceName?
  /// The file with the Icecast server's source password.
  package var icecastPasswordPath: DeviceName?

  mutating func visit(_ visitor: inout SettingsTable) {
    let file = OptionalKind(word: "none", wrapped: DeviceNameKind("a file"))
    visitor.section("monitor")
    visitor.setting("socket", &socket, OptionalKind(word: "none", wrapped: DeviceNameKind("a local socket")))
    visitor.setting("address", &address, DeviceNameKind("an address of this machine"), .onlyInFile)
    visitor.setting("port", &port, WholeNumberKind(1...65_535, "TCP port"), .onlyInFile)
    visitor.setting("token", &tokenPath, file, .onlyInFile)
    visitor.setting("certificate", &certificatePath, file, .onlyInFile)
    visitor.setting("key", &keyPath, file, .onlyInFile)
    visitor.setting("connections", &connectionCount, WholeNumberKind(1...64, "at the same time"), .onlyInFile)
    visitor.setting(
      "connections_per_address", &connectionsPerAddress, WholeNumberKind(1...64, "at the same time"), .onlyInFile)
    visitor.setting(
      "snapcast_port", &snapcastPort, OptionalKind(word: "none", wrapped: WholeNumberKind(1...65_535, "TCP port")),
      .onlyInFile)
    visitor.setting("snapcast_address", &snapcastAddress, DeviceNameKind("an address of this machine"), .onlyInFile)
    visitor.setting(
      "snapcast_buffer_milliseconds", &snapcastBufferMilliseconds, WholeNumberKind(100...10_000, "milliseconds"),
      .onlyInFile)
    visitor.setting("snapcast_clients", &snapcastClientCount, WholeNumberKind(1...16, "at the same time"), .onlyInFile)
    visitor.setting(
      "source", &source, OptionalKind(word: "microphone", wrapped: DeviceNameKind("an audio file")), .onlyInFile)
    visitor.setting(
      "icecast", &icecast,
      OptionalKind(word: "none", wrapped: DeviceNameKind("an address such as http://host:8000/name")), .onlyInFile)
    visitor.setting("icecast_password", &icecastPasswordPath, file, .onlyInFile)
  }
}
