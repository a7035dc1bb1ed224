import Base
import TestSupport
import Testing

@Suite struct HiddenSecretsTests {
  @Test(
    "What opens something in an address is not shown",
    arguments: [
      ("http://user:pw@host/x", "http://***@host/x"), ("HTTP://user@host:8000", "HTTP://***@host:8000"),
      ("http://u:p@ss@host/a@b", "http://***@host/a@b"), ("http://u:p%40ss@[::1]:80/", "http://***@[::1]:80/"),
      ("http://u:pa/ss@host/x", "http://***@host/x"), ("http://host/@name", "http://host/@name"),
      ("http://host:8000/a@b", "http://host:8000/a@b"), ("http://[fe80::1]/a@b", "http://[fe80::1]/a@b"),
      ("http://h/x?token=abc&a=b", "http://h/x?token=***&a=b"),
      ("http://h/?a=b;API_KEY=c#d", "http://h/?a=b;API_KEY=***#d"),
      ("http://h/?pw=1&powder=2", "http://h/?pw=***&powder=2"), ("music/a://b.mp3", "music/a://b.mp3"),
      ("http://h/x|Cookie=a=b|User-Agent=c", "http://h/x|Cookie=***|User-Agent=c"),
      ("stream http://u:p@h/ then", "stream http://***@h/ then"), ("music/me@home.mp3", "music/me@home.mp3"),
    ])
  func hides(text: String, shown: String) {
    let bytes = Array(text.utf8)
    let result: FixedText<256> = bytes.span.hidingSecrets()
    #expect(String(result) == shown)
  }
}
