import CropABI

// Reads calls of the module's functions from standard input, one a line (`pointer 0 1 12.5 …`), and
// prints the recipe after each as the bit patterns of its numbers, for comparison with WebAssembly.
// The line `show` prints the scene, the elements and the state instead.

/// Calls the function of that name; an unknown name or too few numbers is ignored.
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
  case ("set_jpeg", 5):
    _ = setJPEG(
      width: code(0), height: code(1), cellWidth: code(2), cellHeight: code(3),
      orientation: code(4))
  default: break
  }
}

/// The crop of a target.
func derived(_ n: [Double]) -> UnsafePointer<Double> {
  target(
    width: n[0], height: n[1], turns: Int32(n[2]), mirrored: Int32(n[3]), tilt: n[4], x: n[5],
    y: n[6], focusWidth: n[7], focusHeight: n[8], across: n[9], down: n[10], left: n[11],
    top: n[12], cropWidth: n[13], cropHeight: n[14])
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
  } else if name == "target", numbers.count == 15 {
    print(text(derived(numbers)))
  } else {
    call(name, numbers)
    print(text(recipe()))
  }
}
