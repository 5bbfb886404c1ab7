import CropImaging
import Hummingbird
import HummingbirdCore

#if TLS
  import HummingbirdTLS
  import NIOSSL
#endif

/// The certificate of a server and its key, as PEM files.
public struct TLSFiles: Sendable, Equatable {
  /// The certificate, followed by those that vouch for it.
  public var certificates: String
  /// The private key.
  public var key: String

  /// The files at two paths.
  public init(certificates: String, key: String) {
    self.certificates = certificates
    self.key = key
  }

  /// A server that speaks through TLS, 1.2 at least, with keys that are thrown away after each
  /// connection: a key that is stolen later opens nothing that was recorded.
  ///
  /// - Throws: where a file is missing or is not what it should be; ``CropError/componentMissing(component:advice:)``
  ///   in a build without TLS.
  func wrapped(_ server: HTTPServerBuilder) throws -> HTTPServerBuilder {
    #if TLS
      try encrypted(server)
    #else
      throw CropError.componentMissing(
        component: "TLS in this build",
        advice: "build it with 'make build TLS=1', or let a proxy in front speak TLS")
    #endif
  }
}

#if TLS
  extension TLSFiles {
    private func encrypted(_ server: HTTPServerBuilder) throws -> HTTPServerBuilder {
      let chain: [NIOSSLCertificateSource]
      let secret: NIOSSLPrivateKey
      do {
        chain = try NIOSSLCertificate.fromPEMFile(certificates).map { .certificate($0) }
      } catch {
        throw ServerSettings.Refusal(words: "\(certificates) is no certificate in PEM form")
      }
      do {
        secret = try NIOSSLPrivateKey(file: key, format: .pem)
      } catch {
        throw ServerSettings.Refusal(words: "\(key) is no private key in PEM form")
      }
      var configuration = TLSConfiguration.makeServerConfiguration(
        certificateChain: chain, privateKey: .privateKey(secret))
      configuration.minimumTLSVersion = .tlsv12
      // For 1.2; 1.3 has no others.
      configuration.cipherSuites = "ECDHE+AESGCM:ECDHE+CHACHA20"
      configuration.applicationProtocols = ["http/1.1"]
      do {
        _ = try NIOSSLContext(configuration: configuration)
      } catch {
        throw ServerSettings.Refusal(words: "\(key) is not the key of \(certificates)")
      }
      return try .tls(server, tlsConfiguration: configuration)
    }
  }
#endif
