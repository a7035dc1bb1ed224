import Text

extension FixedText {
  init(_ string: String) {
    self.init()
    for byte in string.utf8 { append(byte: byte) }
  }

  var string: String {
    String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
  }
}
