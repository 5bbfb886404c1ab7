import CropABI
import CropWire

// Reads calls of the module from standard input, one per line, as the code and the numbers, and
// prints the bit patterns of the answer's numbers, for comparison with WebAssembly.

while let line = readLine() {
  let numbers = line.split(separator: " ").compactMap { Double($0) }
  let input = list()
  input[0] = Double(numbers.count - 1)
  for (index, number) in numbers.dropFirst().enumerated() { input[index + 1] = number }
  let answer = call(code: Int32(numbers[0]))
  print(
    (0..<Int(answer[0])).map { String(answer[$0 + 1].bitPattern, radix: 16) }.joined(separator: " ")
  )
}
