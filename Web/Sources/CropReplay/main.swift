import CropABI

// Reads calls of the module's functions from standard input, one per line (`pointer 0 1 12.5 …`),
// and prints the recipe after each as the bit patterns of its numbers, for comparison with
// WebAssembly. The line `show` prints the scene, the elements and the state instead.

/// Calls the function with this name; unknown names and calls with too few numbers are ignored.
func call(_ name: Substring, _ n: [Double]) {
  func code(_ index: Int) -> Int32 { Int32(n[index]) }
  switch (name, n.count) {
  case ("open", 2): _ = open(width: n[0], height: n[1])
  case ("resize", 2): _ = resize(width: n[0], height: n[1])
  case ("pointer", 8):
    _ = pointer(
      phase: code(0), id: code(1), x: n[2], y: n[3], time: n[4], kind: code(5), button: code(6),
      modifiers: code(7))
  case ("wheel", 7):
    _ = wheel(
      x: n[0], y: n[1], dx: n[2], dy: n[3], isPrecise: code(4), modifiers: code(5), time: n[6])
  case ("magnify", 4): _ = magnify(x: n[0], y: n[1], factor: n[2], time: n[3])
  case ("key", 3): _ = key(code: code(0), modifiers: code(1), time: n[2])
  case ("tick", 1): _ = tick(time: n[0])
  case ("command", 4): _ = command(code: code(0), a: n[1], b: n[2], time: n[3])
  case ("set_transform", 3): _ = setTransform(turns: code(0), mirrored: code(1), tilt: n[2])
  case ("set_jpeg", 5):
    _ = setJPEG(
      width: code(0), height: code(1), cellWidth: code(2), cellHeight: code(3),
      orientation: code(4))
  case ("set_canvas", 3...):
    write(n.dropLast())
    _ = setCanvas(time: n[n.count - 1])
  default: break
  }
}

/// Asks a question, given as its code and the numbers of the input list.
func answer(_ n: [Double]) -> UnsafePointer<Double> {
  write(n.dropFirst())
  return ask(code: Int32(n[0]))
}

/// Writes the input list.
func write(_ numbers: ArraySlice<Double>) {
  let input = list()
  input[0] = Double(numbers.count)
  for (index, number) in numbers.enumerated() { input[index + 1] = number }
}

/// The numbers of an output, as bit patterns.
func text(_ list: UnsafePointer<Double>) -> String {
  (0..<Int(list[0])).map { String(list[$0 + 1].bitPattern, radix: 16) }.joined(separator: " ")
}

while let line = readLine() {
  let words = line.split(separator: " ")
  guard let name = words.first else { continue }
  let numbers = words.dropFirst().compactMap { Double($0) }
  if name == "show" {
    print(text(scene()), text(elements()), text(state()), separator: " ")
  } else if name == "ask", !numbers.isEmpty {
    print(text(answer(numbers)))
  } else {
    call(name, numbers)
    print(text(recipe()))
  }
}
