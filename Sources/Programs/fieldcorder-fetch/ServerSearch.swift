import Base
import CAvahi
import CLinux
import Machine
import Wire

/// A search for servers on the local network, by Avahi.
enum ServerSearch {
  /// How often it is checked whether the recorder has given up the search.
  private static var lookMilliseconds: UInt64 { 100 }

  /// Searches, and reports the results to the recorder when the time is up.
  static func run(_ order: SearchOrder, _ link: consuming FileDescriptor) {
    // A D-Bus call that hangs would outlast the link.
    alarm(SearchLimits.processSeconds)
    var state = SearchState()
    // Safe: the pointer is valid for the call, and Avahi's objects end within it.
    let number = link.number
    let problem = unsafe withUnsafeMutablePointer(to: &state) { unsafe search(order, $0, number) }
    if let problem { return SearchEvent.failed(problem).send(over: link) }
    for index in 0..<state.servers.count { SearchEvent.found(state.servers[index]).send(over: link) }
    SearchEvent.finished(isComplete: state.servers.isComplete).send(over: link)
  }

  /// - Parameter link: closed when the recorder gives up the search.
  /// - Returns: why the search failed; nil otherwise.
  private static func search(
    _ order: SearchOrder, _ state: UnsafeMutablePointer<SearchState>, _ link: Int32
  ) -> SearchProblem? {
    guard let loop = unsafe avahi_simple_poll_new() else { return .failed }
    defer { unsafe avahi_simple_poll_free(loop) }
    guard let client = unsafe avahi_connect(loop, noteState, state) else { return .noAvahi }
    defer { unsafe avahi_client_free(client) }
    guard unsafe avahi_browse(client, SearchState.snapcastType.cString, noteService, state) != nil,
      unsafe avahi_browse(client, SearchState.httpType.cString, noteService, state) != nil
    else { return .noAvahi }
    let end = Instant.now + UInt64(order.seconds) * 1_000_000_000
    while true {
      let now = Instant.now
      guard now < end else { return nil }
      let left = min((end - now + 999_999) / 1_000_000, lookMilliseconds)
      guard unsafe avahi_simple_poll_iterate(loop, Int32(clamping: left)) == 0, unsafe !state.pointee.hasLostAvahi
      else { return .noAvahi }
      var waiting = pollfd(fd: link, events: Int16(POLLIN), revents: 0)
      if unsafe poll(&waiting, 1, 0) != 0 { return nil }
    }
  }
}

/// What Avahi's callbacks have found so far.
struct SearchState: ~Copyable {
  static var snapcastType: StaticString { "_snapcast._tcp" }
  static var httpType: StaticString { "_http._tcp" }
  /// The TXT record, from its Avahi service file, that tells `fieldcorder-monitor` from other HTTP servers.
  static var monitorText: StaticString { "application=fieldcorder" }

  var servers = FoundServers()
  /// Whether Avahi's daemon has ended.
  var hasLostAvahi = false
  /// Services whose host and address Avahi is still resolving.
  var questionCount = 0
}

/// Avahi's callback for the daemon's state; `context` is the ``SearchState``.
private func noteState(_ client: OpaquePointer?, _ state: AvahiClientState, _ context: UnsafeMutableRawPointer?) {
  guard avahi_is_lost(state) != 0 else { return }
  unsafe context?.assumingMemoryBound(to: SearchState.self).pointee.hasLostAvahi = true
}

/// Avahi's callback for the name of a service that has come or gone.
private func noteService(
  _ browser: OpaquePointer?, _ interface: AvahiIfIndex, _ transport: AvahiProtocol, _ event: AvahiBrowserEvent,
  _ name: UnsafePointer<CChar>?, _ type: UnsafePointer<CChar>?, _ domain: UnsafePointer<CChar>?,
  _ flags: AvahiLookupResultFlags, _ context: UnsafeMutableRawPointer?
) {
  guard let state = unsafe context?.assumingMemoryBound(to: SearchState.self) else { return }
  if avahi_has_ended(event) != 0 { unsafe state.pointee.hasLostAvahi = true }
  guard avahi_is_new(event) != 0 else { return }
  guard unsafe state.pointee.questionCount < SearchLimits.questions,
    unsafe avahi_resolve(browser, interface, transport, name, type, domain, noteAnswer, context) != nil
  else {
    unsafe state.pointee.servers.noteMore()
    return
  }
  unsafe state.pointee.questionCount += 1
}

/// Avahi's callback for a service's host and address.
private func noteAnswer(
  _ resolver: OpaquePointer?, _ interface: AvahiIfIndex, _ transport: AvahiProtocol, _ event: AvahiResolverEvent,
  _ name: UnsafePointer<CChar>?, _ type: UnsafePointer<CChar>?, _ domain: UnsafePointer<CChar>?,
  _ host: UnsafePointer<CChar>?, _ address: UnsafePointer<AvahiAddress>?, _ port: UInt16,
  _ texts: UnsafeMutablePointer<AvahiStringList>?, _ flags: AvahiLookupResultFlags, _ context: UnsafeMutableRawPointer?
) {
  guard let state = unsafe context?.assumingMemoryBound(to: SearchState.self) else { return }
  unsafe state.pointee.questionCount -= 1
  if avahi_is_found(event) != 0, let address = unsafe address, unsafe avahi_is_on_link(address) == 0 {
    let isSnapcast = unsafe FixedText<16>(cString: type) == SearchState.snapcastType
    if unsafe isSnapcast || avahi_has_text(texts, SearchState.monitorText.cString) != 0 {
      let server = unsafe FoundServer(
        isSnapcast ? .snapcast : .monitor, address: text(of: address), port: port, host: FixedText(cString: host),
        name: FixedText(cString: name))
      if let server { unsafe state.pointee.servers.add(server) }
    }
  }
  unsafe avahi_service_resolver_free(resolver)
}

private func text(of address: UnsafePointer<AvahiAddress>) -> FixedText<48> {
  var bytes = InlineArray<48, CChar>(repeating: 0)
  var span = bytes.mutableSpan
  return unsafe span.withUnsafeMutableBufferPointer {
    unsafe FixedText(cString: avahi_address_snprint($0.baseAddress, $0.count, address))
  }
}
