import CropImaging

/// What a server is told when it starts.
public struct ServerSettings: Sendable {
  /// The address to listen on, a name or a number.
  public var host: String
  /// The port to listen on; 0 takes a free one.
  public var port: Int
  /// What a client must know; nil lets in every client of this machine, and needs a loopback `host`.
  public var token: String?
  /// The certificate and key to speak TLS with; nil speaks plain HTTP.
  public var tls: TLSFiles?
  /// The folder of sample pictures, nil for none.
  public var samples: String?
  /// Where the photos are.
  public var library: LibraryChoice
  /// The program that decodes; nil finds it beside this one.
  public var worker: String?
  /// How many pictures are worked on at once, at least 1.
  public var concurrency: Int
  /// How many more may wait for their turn, 0 or more.
  public var queue: Int
  /// What one picture may cost.
  public var limits: Limits

  /// Settings for a server on this machine alone.
  public init(
    host: String = "127.0.0.1", port: Int = 8080, token: String? = nil,
    tls: TLSFiles? = nil, samples: String? = nil,
    library: LibraryChoice = .none, worker: String? = nil, concurrency: Int, queue: Int = 32,
    limits: Limits = Limits()
  ) {
    self.host = host
    self.port = port
    self.token = token
    self.tls = tls
    self.samples = samples
    self.library = library
    self.worker = worker
    self.concurrency = concurrency
    self.queue = queue
    self.limits = limits
  }

  /// Settings that can't be.
  public struct Refusal: Error, CustomStringConvertible {
    let words: String
    /// One line for a person.
    public var description: String { words }
  }

  /// `http` or `https`.
  var scheme: String { tls == nil ? "http" : "https" }

  /// Whether only this machine can reach the address.
  public var isLoopback: Bool {
    host == "localhost" || host == "::1" || isLoopbackNumber
  }

  /// 127.0.0.0/8, in full; a shorter or longer spelling is taken as an address of the network.
  private var isLoopbackNumber: Bool {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }
}

/// Where the photos of the page's library are.
public enum LibraryChoice: Sendable, Equatable {
  /// There is no library.
  case none
  /// The user's pictures folder, if there is one.
  case pictures
  /// A folder.
  case folder(String)
}
