import CropImaging
import FoundationEssentials
import Glibc
import Hummingbird
import PhotoLibrary

/// A response that describes an error (RFC 9457).
struct Problem: Error {
  let status: HTTPResponse.Status
  /// A stable name, in kebab-case.
  let code: String
  /// A one-line message.
  let detail: String
  /// Further header fields.
  var headers = HTTPFields()
  /// The data that would be lost, if that is the error.
  var losses: [DataLoss]?

  init(_ status: HTTPResponse.Status, code: String, _ detail: String) {
    self.status = status
    self.code = code
    self.detail = detail.withoutDirectionControls
  }

  init(_ error: CropError) {
    if case .wouldLoseData(let path, let losses) = error {
      self.init(
        .conflict, code: error.code,
        "\(path): overwriting it would lose \(DataLoss.names(losses)); "
          + "send \"dropRest\": true to allow that, or save a copy")
      self.losses = losses
      return
    }
    self.init(Self.status(error.httpStatus), code: error.code, error.message(for: .http))
    if let seconds = error.retryAfter { headers[.retryAfter] = "\(seconds)" }
  }

  /// A target that can't be made.
  init(_ failure: TargetFailure) {
    let status = Self.status(failure.error.httpStatus)
    self.init(status, code: failure.error.code, failure.message(for: .http))
  }

  /// Too many images; clients should retry after this many seconds.
  static func busy(retryAfter seconds: Int = 5) -> Self {
    busy("too many images at once; try again soon", retryAfter: seconds)
  }

  /// Too many of what `detail` names; clients should retry after this many seconds.
  static func busy(_ detail: String, retryAfter seconds: Int = 5) -> Self {
    var problem = Self(.tooManyRequests, code: "busy", detail)
    problem.headers[.retryAfter] = "\(seconds)"
    return problem
  }

  /// The status for a code, with its reason phrase.
  private static func status(_ code: Int) -> HTTPResponse.Status {
    let known: [HTTPResponse.Status] = [
      .badRequest, .notFound, .conflict, .contentTooLarge, .unsupportedMediaType,
      .unprocessableContent, .tooManyRequests, .internalServerError, .notImplemented,
      .serviceUnavailable, .gatewayTimeout, .insufficientStorage,
    ]
    return known.first { $0.code == code } ?? .init(code: code)
  }

  private struct Body: Encodable {
    let type = "about:blank"
    let title: String
    let status: Int
    let code: String
    let detail: String
    let losses: [DataLoss]?
  }

  var response: Response {
    Response(
      status: status, headers: head.headerFields,
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
  }

  var head: HTTPResponse {
    var headers = headers
    headers[.contentType] = "application/problem+json"
    headers[.cacheControl] = "no-store"
    headers[.contentLength] = "\(body.count)"
    return HTTPResponse(status: status, headerFields: headers)
  }

  var body: Data {
    let body = Body(
      title: status.reasonPhrase, status: status.code, code: code, detail: detail,
      losses: losses)
    // A body of numbers and strings can always be encoded.
    return (try? JSONEncoder().encode(body)) ?? Data()
  }
}

extension HTTPResponse.Status {
  /// 507: the disk is full.
  static var insufficientStorage: Self { .init(code: 507, reasonPhrase: "Insufficient Storage") }
}

/// Turns every error into a response.
struct ProblemMiddleware: RouterMiddleware {
  func handle(
    _ request: Request, context: CropContext,
    next: (Request, CropContext) async throws -> Response
  ) async throws -> Response {
    let problem: Problem
    do {
      return try await next(request, context)
    } catch let error as Problem {
      problem = error
    } catch let error as CropError {
      problem = Problem(error)
    } catch let error as TargetFailure {
      problem = Problem(error)
    } catch let error as LibraryError {
      problem = Problem(error)
    } catch let error as PhotoFailure {
      problem = Problem(error.problem)
    } catch is CancellationError {
      problem = Problem(.serviceUnavailable, code: "cancelled", "the client disconnected")
    } catch let error as BrokenBody {
      throw error.reason
    } catch let error as any HTTPResponseError {
      if !Routes.known.contains(request.method) {
        problem = Problem(.notImplemented, code: "method", "this method is not supported")
      } else if error.status == .notFound {
        problem = .nothingHere
      } else {
        problem = Problem(error.status, code: "request", "this request can't be read")
      }
    } catch {
      if let known = LibraryError(error) {
        problem = Problem(known)
      } else {
        context.logger.error("unexpected", metadata: ["error": "\(error)"])
        problem = Problem(.internalServerError, code: "internal", "the server failed")
      }
    }
    return problem.response
  }
}

extension String {
  /// The text without characters that change the text direction (`Bidi_Control` in Unicode): they
  /// could make a file name appear to have another extension.
  var withoutDirectionControls: String {
    guard unicodeScalars.contains(where: \.properties.isBidiControl) else { return self }
    return String(String.UnicodeScalarView(unicodeScalars.filter { !$0.properties.isBidiControl }))
  }
}
