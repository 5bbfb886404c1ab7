/// The error a body ends with, nil if none.
public func failure<Failure: Error>(_ body: () throws(Failure) -> Void) -> Failure? {
  do throws(Failure) {
    try body()
    return nil
  } catch {
    return error
  }
}
