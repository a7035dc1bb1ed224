import Base
import Foundation
import TestSupport
import Testing

@Suite struct JSONWriterTests {
  @Test("An object has its members in order, with objects and lists inside, and texts escaped")
  func writes() throws {
    var json = JSONWriter<300>()
    json.add("whole", -12)
    json.add("largest", UInt64.max)
    json.add("part", 1.25, decimals: 1)
    json.addNull("nothing")
    json.add("is", true)
    json.add("text", text: FixedText<32>("a \"b\"\u{1B}\\").bytes)
    json.beginObject("inner")
    json.endObject()
    json.beginList("list")
    json.add(nil, 1)
    json.add(nil, name: "two")
    json.beginObject()
    json.add("is", false)
    json.endObject()
    json.endList()
    json.endObject()
    let text = String(json.text)
    #expect(
      text == #"{"whole":-12,"largest":18446744073709551615,"part":1.3,"nothing":null,"is":true,"#
        + #""text":"a \"b\"\u001b\\","inner":{},"list":[1,"two",{"is":false}]}"#)
    #expect(try JSONSerialization.jsonObject(with: Data(text.utf8)) is [String: Any])
  }

  @Test("What did not fit is taken back whole")
  func takesBack() {
    var json = JSONWriter<24>()
    json.add("a", 1)
    let byteCount = json.text.byteCount
    json.add("b", text: FixedText<32>("much too long for that").bytes)
    #expect(json.text.isTruncated)
    json.takeBack(to: byteCount)
    json.endObject()
    #expect(!json.text.isTruncated && String(json.text) == #"{"a":1}"#)
  }
}
