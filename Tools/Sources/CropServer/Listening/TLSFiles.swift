import CropImaging
import Hummingbird
import HummingbirdCore

#if TLS
  import HummingbirdTLS
  import NIOSSL
#endif

/// The server's certificate and key, as PEM files.
public struct TLSFiles: Sendable, Equatable {
  /// The certificate, followed by the intermediate ones.
  public var certificates: String
  /// The private key.
  public var key: String

  /// The files at two paths.
  public init(certificates: String, key: String) {
    self.certificates = certificates
    self.key = key
  }

  /// A server with TLS, version 1.2 or later, with forward secrecy: a key that is stolen later does
  /// not decrypt recorded connections.
  ///
  /// - Throws: an error for a missing or invalid file;
  ///   ``CropError/componentMissing(component:advice:)`` in a build without TLS.
  func wrapped(_ server: HTTPServerBuilder) throws -> HTTPServerBuilder {
    #if TLS
      try encrypted(server)
    #else
      throw CropError.componentMissing(
        component: "TLS support",
        advice: "build CropKit with 'make build TLS=1', or use a reverse proxy for TLS")
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
        throw ServerSettings.Refusal(words: "\(certificates) is not a PEM certificate")
      }
      do {
        secret = try NIOSSLPrivateKey(file: key, format: .pem)
      } catch {
        throw ServerSettings.Refusal(words: "\(key) is not a PEM private key")
      }
      var configuration = TLSConfiguration.makeServerConfiguration(
        certificateChain: chain, privateKey: .privateKey(secret))
      configuration.minimumTLSVersion = .tlsv12
      // For 1.2; all suites of 1.3 are like that.
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
