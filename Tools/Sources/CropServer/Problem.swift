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

  init(_ status: HTTPResponse.Status, code: String, _ detail: String) {
    self.status = status
    self.code = code
    self.detail = detail
  }

  init(_ error: CropError) {
    self.init(.init(code: error.httpStatus), code: error.code, error.message)
  }

  /// Too many at once; come back in a few seconds.
  static var busy: Self { busy("too many pictures at once; try again soon") }

  /// Too many of what `detail` says; come back in a few seconds.
  static func busy(_ detail: String) -> Self {
    var problem = Self(.tooManyRequests, code: "busy", detail)
    problem.headers[.retryAfter] = "5"
    return problem
  }

  private struct Body: Encodable {
    let type = "about:blank"
    let title: String
    let status: Int
    let code: String
    let detail: String
  }

  /// The answer.
  var response: Response {
    let body = Body(title: status.reasonPhrase, status: status.code, code: code, detail: detail)
    var headers = headers
    headers[.contentType] = "application/problem+json"
    headers[.cacheControl] = "no-store"
    // A body of two numbers and three strings can always be encoded.
    let bytes = (try? JSONEncoder().encode(body)) ?? Data()
    return Response(
      status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }
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
    } catch let error as LibraryError {
      problem = Problem(error)
    } catch let error as PhotoFailure {
      problem = Problem(error.problem)
    } catch is CancellationError {
      problem = Problem(.serviceUnavailable, code: "cancelled", "nobody waits for this any more")
    } catch let error as BrokenBody {
      throw error.reason
    } catch let error as any HTTPResponseError {
      problem = Problem(
        error.status, code: error.status == .notFound ? "not-found" : "request", "no such address")
    } catch {
      context.logger.error("unexpected", metadata: ["error": "\(error)"])
      problem = Problem(.internalServerError, code: "internal", "the server made a mistake")
    }
    return problem.response
  }
}
