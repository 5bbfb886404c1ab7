import CropImaging
import Glibc
import NIOCore
import PhotoLibrary

/// A server that browsers can reach.
public struct Listening: Sendable {
  private let settings: ServerSettings
  let port: Int?
  private let access: Access
  private let places: LibraryPlaces

  init(settings: ServerSettings, port: Int?, access: Access, places: LibraryPlaces) {
    self.settings = settings
    self.port = port
    self.access = access
    self.places = places
  }

  /// Where it is: an address such as `http://127.0.0.1:8080/`, or the path of a socket.
  public var place: String {
    if let origin = settings.origins.first { return "\(origin.text)/" }
    switch settings.place {
    case .socket(let path, _): return path
    // From here "localhost" would do, but it is for others that the server listens everywhere.
    case .port(let host, _) where host.isEverything:
      return address(of: OwnAddress.network ?? "localhost")
    case .port(let host, _): return address(of: host.authority)
    }
  }

  /// The number that stands for all addresses of this machine, where it listens on these.
  public var everyAddress: String? {
    if case .port(let host, _) = settings.place, host.isEverything { host.text } else { nil }
  }

  /// An address that signs in one device, once and within five minutes; nil where no other device can reach
  /// the server. Each call makes a new one.
  public func joiningAddress() -> String? {
    guard case .port(let host, _) = settings.place, !host.isLoopback || !settings.origins.isEmpty
    else { return nil }
    return "\(place)?code=\(access.codes.make())"
  }

  /// Writes a file that signs in the first browser that opens it, and only that one; it is removed
  /// then. Blocks.
  ///
  /// - Returns: its path; nil where the server listens on a socket, which no browser can open.
  public func fileToOpen() throws(CropError) -> String? {
    guard case .port(let host, _) = settings.place, let port else { return nil }
    // A browser on this machine may do more at its own address: keep the page, use the camera.
    // Certificates are made out to names.
    let own = settings.tls == nil ? "127.0.0.1" : "localhost"
    let start = address(of: host.isEverything ? own : host.authority)
    return try OpenFile.write(
      leadingTo: start, named: "\(port)", codes: access.codes, places: places)
  }

  private func address(of name: String) -> String {
    let scheme = settings.tls == nil ? "http" : "https"
    return "\(scheme)://\(name):\(port ?? 0)/"
  }
}

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
