import Foundation
import Glibc
import TestMaterial
import Testing

@testable import CropImaging
@testable import CropSystem

@Suite struct `Workers that die, or want too much`: UsesWorkerProbe {
  @Test(arguments: [SIGSEGV, SIGBUS, SIGABRT, SIGTRAP, SIGKILL])
  func `a death is one error for one picture`(signal: Int32) throws {
    let pool = pool()
    let error = refusal(pool, "die \(signal)")
    #expect(error?.code == "worker-died")
    #expect(error?.exitStatus == 70)
    #expect(text(try ask(pool, "echo")) == "picture")
  }

  @Test func `a process killed while it rests is no error`() throws {
    let pool = pool()
    for _ in 0..<20 {
      let process = try #require(pid_t(text(try ask(pool, "process"))))
      // Its end of the socket may still be open when the next image is sent.
      kill(process, SIGKILL)
      #expect(text(try ask(pool, "echo")) == "picture")
      #expect(isGone(process))
    }
  }

  @Test func `an exit is a death`() throws {
    #expect(refusal(pool(), "exit")?.code == "worker-died")
  }

  @Test func `time that the processor spends elsewhere does not count`() throws {
    #expect(text(try ask(pool(), "nap", limits: Limits(seconds: 1))) == "rested")
  }

  @Test(arguments: Thorough.all(["sleep", "spin"], or: 1))
  func `a timeout is reported`(how: String) throws {
    let pool = pool()
    #expect(refusal(pool, how, limits: Limits(seconds: 1)) == .timedOut(file: how, seconds: 1))
    #expect(text(try ask(pool, "echo")) == "picture")
  }

  @Test(arguments: ["blocks", "once", "null", "array", "stacks", "blame"])
  func `too much memory is reported as such`(how: String) throws {
    let pool = pool(limits: Limits(memory: 256 << 20))
    let name = "hog \(how)"
    #expect(refusal(pool, name) == .outOfMemory(file: name, allowed: 256 << 20))
    #expect(text(try ask(pool, "echo")) == "picture")
  }

  @Test func `this process's memory does not affect the report`() throws {
    let limits = Limits(memory: 128 << 20)
    let count = 2 * limits.memory
    let block = try #require(malloc(count))
    memset(block, 1, count)
    defer { free(block) }
    let pool = pool(limits: limits)
    #expect(refusal(pool, "die \(SIGABRT)")?.code == "worker-died")
    #expect(refusal(pool, "hog blocks")?.code == "out-of-memory")
  }

  @Test func `memory that was missed and not needed explains no later death`() throws {
    let pool = pool()
    #expect(text(try ask(pool, "hog cope")) == "coped")
    #expect(refusal(pool, "wrong")?.code == "corrupt")
    #expect(text(try ask(pool, "hog cope")) == "coped")
    #expect(refusal(pool, "die \(SIGABRT)")?.code == "worker-died")
  }

  @Test func `a result may have as many bytes as its picture may take, and no more`() throws {
    let limits = Limits(memory: 64 << 20)
    let pool = pool(limits: limits)
    #expect(try ask(pool, "large \(limits.memory)").bytes.count == limits.memory)
    let name = "large \(limits.memory + 1)"
    #expect(refusal(pool, name) == .outOfMemory(file: name, allowed: limits.memory))
    #expect(text(try ask(pool, "echo")) == "picture")
  }

  @Test(arguments: [
    "open", "create", "socket", "stat", "look", "kill", "own", "async", "memory", "start",
    "execute",
  ])
  func `system calls that no decoder needs are denied`(what: String) throws {
    #expect(text(try ask(pool(), "try \(what)")) == "refused")
  }

  @Test func `threads are allowed`() throws {
    #expect(text(try ask(pool(), "try thread")) == "allowed")
  }

  @Test func `a pool that is gone leaves nothing running`() throws {
    func started() throws -> pid_t {
      try #require(pid_t(text(try ask(pool(), "process"))))
    }
    let process = try started()
    #expect(isGone(process))
  }

  @Test(arguments: ["sleep", "spin"])
  func `a program that is killed leaves nothing running`(work: String) throws {
    let host = Process()
    host.executableURL = URL(fileURLWithPath: Self.probe)
    host.arguments = ["host", work]
    let output = Pipe()
    host.standardOutput = output
    try host.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    let process = try #require(pid_t(line.split(separator: "\n").first.map(String.init) ?? ""))
    #expect(isAt(work, process))
    kill(host.processIdentifier, SIGKILL)
    host.waitUntilExit()
    #expect(isGone(process))
  }
}
