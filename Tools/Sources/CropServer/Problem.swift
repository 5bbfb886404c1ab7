import CropImaging
import Foundation
import Hummingbird
import PhotoLibrary

/// An answer that says what went wrong (RFC 9457).
struct Problem: Error {
  let status: HTTPResponse.Status
  /// A stable name, in kebab-case.
  let code: String
  /// One line for a person.
  let detail: String
  /// Further header fields.
  var headers = HTTPFields()
  /// What would be lost, where that is the problem.
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
        "\(path): replacing it would lose \(DataLoss.names(losses)); "
          + "send \"dropRest\": true to allow that, or save a copy")
      self.losses = losses
      return
    }
    self.init(Self.status(error.httpStatus), code: error.code, error.message)
  }

  /// A target that can't be made.
  init(_ failure: TargetFailure) {
    let status = Self.status(failure.error.httpStatus)
    self.init(status, code: failure.error.code, failure.message)
  }

  /// Too many at once; come back in a few seconds.
  static var busy: Self { busy("too many pictures at once; try again soon") }

  /// Too many of what `detail` says; come back in a few seconds.
  static func busy(_ detail: String) -> Self {
    var problem = Self(.tooManyRequests, code: "busy", detail)
    problem.headers[.retryAfter] = "5"
    return problem
  }

  /// A status with its phrase, which a number alone has not.
  private static func status(_ code: Int) -> HTTPResponse.Status {
    let known: [HTTPResponse.Status] = [
      .badRequest, .notFound, .conflict, .contentTooLarge, .unsupportedMediaType,
      .unprocessableContent, .internalServerError, .notImplemented,
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

  /// The answer.
  var response: Response {
    Response(
      status: status, headers: head.headerFields,
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
  }

  /// The head of the answer.
  var head: HTTPResponse {
    var headers = headers
    headers[.contentType] = "application/problem+json"
    headers[.cacheControl] = "no-store"
    headers[.contentLength] = "\(body.count)"
    return HTTPResponse(status: status, headerFields: headers)
  }

  /// The body of the answer.
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

/// Turns every error into an answer.
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
        problem = Problem(.internalServerError, code: "internal", "the server made a mistake")
      }
    }
    return problem.response
  }
}
