import Glibc
import NIOCore

/// Why a server can't listen where it was told to.
public struct ListeningFailure: Error, CustomStringConvertible {
  /// One line for a person: what is in the way, and what to do.
  public let description: String

  /// Nil for an error that has nothing to do with the address or the port.
  init?(_ error: any Error, at place: ListeningPlace) {
    guard let error = error as? IOError, case .port(let host, let port) = place else { return nil }
    switch error.errnoCode {
    case EADDRINUSE:
      description = "port \(port) is in use by another program; choose another with --port"
    case EACCES, EPERM:
      description = "port \(port) is reserved for the system; choose one above 1023 with --port"
    case EADDRNOTAVAIL:
      description = "\(host.text) is not an address of this machine; choose another with --host"
    case let number:
      description =
        "can't listen on \(host.text), port \(port): \(String(cString: strerror(number)))"
    }
  }
}
