import CropImaging
import Foundation
import Testing

struct JSONSyntaxErrorTests {
  @Test(arguments: [
    ("", 1, 1, "an unexpected end"), ("{", 1, 2, "an unexpected end"),
    ("{\"a\": 1,\n  bad}", 2, 3, "\"b\""),
    ("[1,]", 1, 4, "\"]\""), ("{'a': 1}", 1, 2, "\"'\""), ("{\"ü🦜\" 1}", 1, 7, "\"1\""),
    ("{}\r\nx", 2, 1, "\"x\""), ("01", 1, 2, "\"1\""), ("[-]", 1, 3, "\"]\""),
    ("1.", 1, 3, "unexpected end"),
    ("\"\\x\"", 1, 3, "\"x\""), ("\"\\u12g4\"", 1, 6, "\"g\""), ("\"a\tb\"", 1, 3, "unexpected"),
    ("nul", 1, 4, "unexpected end"), ("nulL", 1, 4, "\"L\""),
    (String(repeating: "[", count: 600), 1, 514, "brackets"),
  ])
  func `the position of the first error is reported`(
    text: String, line: Int, column: Int, what: String
  ) throws {
    let fault = try #require(JSONSyntaxError(in: Array(text.utf8)))
    #expect(fault.line == line && fault.column == column, "\(fault)")
    #expect(fault.what.contains(what), "\(fault)")
  }

  @Test(arguments: [
    ("{\"a\": 1, \"a\": 2}", "the key \"a\" occurs twice (column 10)"),
    ("{\"a\": {\"b\": 1,\n \"\\u0062\": 2}}", "the key \"b\" occurs twice (line 2, column 2)"),
    ("[1, 1e-400]", "the number 1e-400 is too close to 0 (column 5)"),
    ("-0.\(String(repeating: "0", count: 400))1", "too close to 0 (column 1)"),
    ("[1,\n]", "it is not JSON: an unexpected \"]\" at line 2, column 1"),
  ])
  func `the message has the error and its position`(text: String, message: String) throws {
    let fault = try #require(JSONSyntaxError(in: Array(text.utf8)))
    #expect(fault.message.hasSuffix(message), "\(fault.message)")
  }

  @Test func `invalid UTF-8 is reported with its position`() throws {
    let fault = try #require(
      JSONSyntaxError(in: Array("{\n\"ü".utf8) + [0xFF] + Array("\": 1}".utf8)))
    #expect(fault.line == 2 && fault.column == 3 && fault.what == "invalid UTF-8")
  }

  @Test(arguments: [
    "{}", " [ ] ", "null", "-0.5e+7", "\u{FEFF}{\"a\":[1,true,false,{\"b\":\"\\u00e9\\n\"}]}\n",
    "\"\u{7F}ü\"", "0", "1E5", "0e-400", "-0.0E+9", "1e-300",
    "[{\"a\":1},{\"a\":1,\"b\":{\"a\":1}}]",
  ])
  func `in JSON there is none`(text: String) {
    #expect(JSONSyntaxError(in: Array(text.utf8)) == nil)
  }
}
