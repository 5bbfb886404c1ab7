import Foundation
import Testing

@testable import cropkit

struct JSONFaultTests {
  @Test(arguments: [
    ("", 1, 1, "an early end"), ("{", 1, 2, "an early end"), ("{\"a\": 1,\n  bad}", 2, 3, "\"b\""),
    ("[1,]", 1, 4, "\"]\""), ("{'a': 1}", 1, 2, "\"'\""), ("{\"ü🦜\" 1}", 1, 7, "\"1\""),
    ("{}\r\nx", 2, 1, "\"x\""), ("01", 1, 2, "\"1\""), ("[-]", 1, 3, "\"]\""),
    ("1.", 1, 3, "early"),
    ("\"\\x\"", 1, 3, "\"x\""), ("\"\\u12g4\"", 1, 6, "\"g\""), ("\"a\tb\"", 1, 3, "unexpected"),
    ("nul", 1, 4, "early"), ("nulL", 1, 4, "\"L\""),
    (String(repeating: "[", count: 600), 1, 514, "brackets"),
  ])
  func `the place where it stops being JSON is told`(
    text: String, line: Int, column: Int, what: String
  ) throws {
    let fault = try #require(JSONFault(in: Array(text.utf8)))
    #expect(fault.line == line && fault.column == column, "\(fault)")
    #expect(fault.what.contains(what), "\(fault)")
  }

  @Test func `what is not UTF-8 is told by its place`() throws {
    let fault = try #require(JSONFault(in: Array("{\n\"ü".utf8) + [0xFF] + Array("\": 1}".utf8)))
    #expect(fault.line == 2 && fault.column == 3 && fault.what == "what is not UTF-8")
  }

  @Test(arguments: [
    "{}", " [ ] ", "null", "-0.5e+7", "\u{FEFF}{\"a\":[1,true,false,{\"b\":\"\\u00e9\\n\"}]}\n",
    "\"\u{7F}ü\"", "0", "1E5",
  ])
  func `in JSON there is none`(text: String) {
    #expect(JSONFault(in: Array(text.utf8)) == nil)
  }
}
