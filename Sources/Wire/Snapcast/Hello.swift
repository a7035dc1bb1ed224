import Base

/// Who a client says it is ("Hello").
package struct Hello: BitwiseCopyable, Equatable, Sendable {
  /// The name of its machine, as it says; empty when it says none.
  package var hostName: FixedText<64>
  /// What it calls itself, such as `Snapclient`, and its version.
  package var clientName: FixedText<32>
  /// The version of its program.
  package var version: FixedText<32>
  /// What tells it from others: mostly its MAC address.
  package var id: FixedText<64>
  /// The version of the protocol: 1 when it says none.
  package var protocolVersion: Int64

  /// A hello of these words in the protocol's version 2.
  package init(hostName: FixedText<64>, clientName: FixedText<32>, version: FixedText<32>, id: FixedText<64>) {
    self.hostName = hostName
    self.clientName = clientName
    self.version = version
    self.id = id
    protocolVersion = SnapcastLimits.protocolVersion
  }

  /// - Returns: nil when `json` is no object, or a member is of the wrong type.
  init?(json: Span<UInt8>) {
    self.init(hostName: "", clientName: "", version: "", id: "")
    protocolVersion = 1
    do throws(MalformedText) {
      var members = try JSONMembers(json)
      while let member = try members.next() {
        let name = json.extracting(member.name)
        if name.equals("HostName") { hostName = try json.text(member.value) }
        if name.equals("ClientName") { clientName = try json.text(member.value) }
        if name.equals("Version") { version = try json.text(member.value) }
        if name.equals("ID") { id = try json.text(member.value) }
        if name.equals("SnapStreamProtocolVersion") { protocolVersion = try json.integer(member.value) }
      }
    } catch {
      return nil
    }
  }

  /// Every member that snapserver 0.26 requires.
  var json: FixedText<512> {
    var json = JSONWriter<512>()
    json.add("Arch", name: "")
    json.add("ClientName", text: clientName.bytes)
    json.add("HostName", text: hostName.bytes)
    json.add("ID", text: id.bytes)
    json.add("Instance", 1)
    json.add("MAC", text: id.bytes)
    json.add("OS", name: "")
    json.add("SnapStreamProtocolVersion", protocolVersion)
    json.add("Version", text: version.bytes)
    json.endObject()
    return json.text
  }
}
