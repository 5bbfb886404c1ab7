import CoreMetrics
import Synchronization

/// Collects metrics and writes them in Prometheus' text format, version 0.0.4.
///
/// Counters become counters, meters and recorders gauges of the last value, timers histograms in seconds.
final class PrometheusMetrics: MetricsFactory {
  private struct Key: Hashable {
    let name: String
    /// `{a="b"}`, or empty.
    let labels: String
  }

  private struct State {
    var counters: [Key: CounterValue] = [:]
    var gauges: [Key: GaugeValue] = [:]
    var histograms: [Key: HistogramValue] = [:]
  }

  private let state = Mutex(State())

  func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    state.withLock { state in
      Self.value(in: &state.counters, Self.key(label, dimensions), CounterValue.init)
    }
  }

  func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    gauge(label, dimensions)
  }

  func makeRecorder(
    label: String, dimensions: [(String, String)], aggregate: Bool
  ) -> any RecorderHandler {
    gauge(label, dimensions)
  }

  func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    state.withLock { state in
      Self.value(in: &state.histograms, Self.key(label, dimensions), HistogramValue.init)
    }
  }

  // All metrics live as long as this object.
  func destroyCounter(_ handler: any CounterHandler) {}
  func destroyMeter(_ handler: any MeterHandler) {}
  func destroyRecorder(_ handler: any RecorderHandler) {}
  func destroyTimer(_ handler: any TimerHandler) {}

  private func gauge(_ label: String, _ dimensions: [(String, String)]) -> GaugeValue {
    state.withLock { state in
      Self.value(in: &state.gauges, Self.key(label, dimensions), GaugeValue.init)
    }
  }

  private static func value<Value>(
    in values: inout [Key: Value], _ key: Key, _ make: () -> Value
  ) -> Value {
    if let known = values[key] { return known }
    let new = make()
    values[key] = new
    return new
  }

  private static func key(_ label: String, _ dimensions: [(String, String)]) -> Key {
    guard !dimensions.isEmpty else { return Key(name: label, labels: "") }
    let pairs = dimensions.map { name, value in
      let escaped = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        .replacing("\n", with: "\\n")
      return "\(name)=\"\(escaped)\""
    }
    return Key(name: label, labels: "{\(pairs.joined(separator: ","))}")
  }

  /// All values, sorted by name.
  var text: String {
    let state = state.withLock { $0 }
    var lines: [String] = []
    func add<Value>(_ values: [Key: Value], _ type: String, _ write: (Key, Value) -> [String]) {
      var last = ""
      for (key, value) in values.sorted(by: {
        ($0.key.name, $0.key.labels) < ($1.key.name, $1.key.labels)
      }) {
        if key.name != last { lines.append("# TYPE \(key.name) \(type)") }
        last = key.name
        lines += write(key, value)
      }
    }
    add(state.counters, "counter") { ["\($0.name)\($0.labels) \($1.count)"] }
    add(state.gauges, "gauge") { ["\($0.name)\($0.labels) \(Self.number($1.value))"] }
    add(state.histograms, "histogram") { $1.lines($0.name, $0.labels) }
    return lines.joined(separator: "\n") + "\n"
  }

  fileprivate static func number(_ value: Double) -> String {
    Int(exactly: value).map { "\($0)" } ?? "\(value)"
  }
}

private final class CounterValue: CounterHandler {
  private let state = Mutex<Int64>(0)

  var count: Int64 { state.withLock { $0 } }

  func increment(by amount: Int64) { state.withLock { $0 &+= amount } }

  func reset() { state.withLock { $0 = 0 } }
}

private final class GaugeValue: MeterHandler, RecorderHandler {
  private let state = Mutex(0.0)

  var value: Double { state.withLock { $0 } }

  func set(_ value: Int64) { set(Double(value)) }
  func set(_ value: Double) { state.withLock { $0 = value } }
  func increment(by amount: Double) { state.withLock { $0 += amount } }
  func decrement(by amount: Double) { state.withLock { $0 -= amount } }
  func record(_ value: Int64) { set(value) }
  func record(_ value: Double) { set(value) }
}

private final class HistogramValue: TimerHandler {
  private struct State {
    var counts = [Int](repeating: 0, count: HistogramValue.bounds.count)
    var count = 0
    var sum = 0.0
  }

  /// The upper bounds of the buckets, in seconds.
  private static let bounds = [0.005, 0.02, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

  private let state = Mutex(State())

  func recordNanoseconds(_ duration: Int64) {
    let seconds = Double(duration) / 1e9
    state.withLock { state in
      for (index, bound) in Self.bounds.enumerated() where seconds <= bound {
        state.counts[index] += 1
      }
      state.count += 1
      state.sum += seconds
    }
  }

  func lines(_ name: String, _ labels: String) -> [String] {
    let state = state.withLock { $0 }
    let others = labels.isEmpty ? "" : "\(labels.dropFirst().dropLast()),"
    let bounds = Self.bounds.map(PrometheusMetrics.number) + ["+Inf"]
    return zip(bounds, state.counts + [state.count]).map { bound, count in
      "\(name)_bucket{\(others)le=\"\(bound)\"} \(count)"
    } + ["\(name)_sum\(labels) \(state.sum)", "\(name)_count\(labels) \(state.count)"]
  }
}
