import CropImaging
import Glibc
import NIOCore
import PhotoLibrary

/// A server that browsers can reach.
public struct Listening: Sendable {
  private let settings: ServerSettings
  let port: Int?
  private let access: Access
  private let userFolders: UserFolders

  init(settings: ServerSettings, port: Int?, access: Access, userFolders: UserFolders) {
    self.settings = settings
    self.port = port
    self.access = access
    self.userFolders = userFolders
  }

  /// Its location: a URL such as `http://127.0.0.1:8080/`, or the path of a socket.
  public var place: String {
    if let origin = settings.origins.first { return "\(origin.text)/" }
    switch settings.place {
    case .socket(let path, _): return path
    // "localhost" would work here, but the server listens on all addresses for other machines.
    case .port(let host, _) where host.isEverything:
      return address(of: HostNames.network ?? "localhost")
    case .port(let host, _): return address(of: host.authority)
    }
  }

  /// The number that means all addresses of this machine, if the server listens on them.
  public var everyAddress: String? {
    if case .port(let host, _) = settings.place, host.isEverything { host.text } else { nil }
  }

  /// A URL that signs in one device, once and within five minutes; nil if no other device can reach
  /// the server. Each call creates a new one.
  public func joiningAddress() -> String? {
    guard case .port(let host, _) = settings.place, !host.isLoopback || !settings.origins.isEmpty
    else { return nil }
    return "\(place)?code=\(access.codes.make())"
  }

  /// Writes a file that signs in the first browser that opens it, and only that one; the file is
  /// then removed. Blocks.
  ///
  /// - Returns: its path; nil if the server listens on a socket, which no browser can open.
  public func fileToOpen() throws(CropError) -> String? {
    guard case .port(let host, _) = settings.place, let port else { return nil }
    // At a loopback address, a browser allows more: installing the page, using the camera.
    // Certificates are issued for names.
    let own = settings.tls == nil ? "127.0.0.1" : "localhost"
    let start = address(of: host.isEverything ? own : host.authority)
    return try OpenFile.write(
      leadingTo: start, named: "\(port)", codes: access.codes, userFolders: userFolders)
  }

  private func address(of name: String) -> String {
    let scheme = settings.tls == nil ? "http" : "https"
    return "\(scheme)://\(name):\(port ?? 0)/"
  }
}

/// Why a server can't listen on the configured address.
public struct ListeningFailure: Error, CustomStringConvertible {
  /// A one-line message: the cause, and what to do.
  public let description: String

  /// Nil for an error that is not about the address or the port.
  init?(_ error: any Error, at place: ListenAddress) {
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
