import Base
import CHTTP

/// The answers that are always the same, made before the process shuts itself in.
@safe struct FixedAnswers: BitwiseCopyable {
  // Sound: never destroyed.
  let page: OpaquePointer
  let wrongMethod: OpaquePointer
  let noToken: OpaquePointer
  let noSuchPath: OpaquePointer
  let nothingToSend: OpaquePointer
  let noMicrophone: OpaquePointer
  let noFile: OpaquePointer

  /// - Returns: nil when the machine has no memory left.
  init?() {
    guard let page = unsafe Self.answer(MonitorPage.text, "text/html; charset=utf-8"),
      let wrongMethod = unsafe Self.answer("only GET and HEAD\n", "text/plain"),
      let noToken = unsafe Self.answer("add ?token=TOKEN, or a header Authorization: Bearer TOKEN\n", "text/plain"),
      let noSuchPath = unsafe Self.answer("there is nothing here\n", "text/plain"),
      let nothingToSend = unsafe Self.answer("the recorder has none of it now\n", "text/plain"),
      let noMicrophone = unsafe Self.answer(
        "a file is sent instead of the microphone: /status.json has its path\n", "text/plain"),
      let noFile = unsafe Self.answer("the file is not sent: /status.json says why\n", "text/plain")
    else { return nil }
    unsafe self.page = page
    unsafe self.wrongMethod = wrongMethod
    unsafe self.noToken = noToken
    unsafe self.noSuchPath = noSuchPath
    unsafe self.nothingToSend = nothingToSend
    unsafe self.noMicrophone = noMicrophone
    unsafe self.noFile = noFile
    unsafe addHeader("Content-Security-Policy", MonitorPage.policy, to: page)
    unsafe addHeader("WWW-Authenticate", "Bearer", to: noToken)
    unsafe addHeader("Allow", "GET, HEAD", to: wrongMethod)
  }

  private static func answer(_ text: StaticString, _ type: StaticString) -> OpaquePointer? {
    guard let answer = unsafe http_fixed_answer(text.utf8Start, text.utf8CodeUnitCount) else { return nil }
    unsafe addUsualHeaders(type, to: answer)
    return unsafe answer
  }
}

/// What every answer says: its type, that it is kept nowhere, and that the address with the token goes nowhere else.
func addUsualHeaders(_ type: StaticString, to answer: OpaquePointer) {
  unsafe addHeader("Content-Type", type, to: answer)
  unsafe addHeader("Cache-Control", "no-store", to: answer)
  unsafe addHeader("Referrer-Policy", "no-referrer", to: answer)
  unsafe addHeader("X-Content-Type-Options", "nosniff", to: answer)
}

func addHeader(_ name: StaticString, _ value: StaticString, to answer: OpaquePointer) {
  unsafe _ = MHD_add_response_header(answer, cString(name), cString(value))
}

/// A literal as C takes it: it ends with a 0.
func cString(_ literal: StaticString) -> UnsafePointer<CChar> {
  unsafe UnsafeRawPointer(literal.utf8Start).assumingMemoryBound(to: CChar.self)
}
