// Runs one parser on libFuzzer's inputs: parsers PARSER [options and corpora of libFuzzer]

internal import FuzzDriver
internal import Glibc

let names = Parser.allCases.map(\.rawValue).joined(separator: " ")
guard CommandLine.argc > 1, let parser = Parser(rawValue: CommandLine.arguments[1]) else {
    print(names)
    exit(2)
}
Parser.chosen = parser

var arguments: [UnsafeMutablePointer<CChar>?] = CommandLine.arguments.enumerated()
    .filter { $0.offset != 1 }
    .map { strdup($0.element) }
arguments.append(nil)
var count = Int32(arguments.count - 1)
arguments.withUnsafeMutableBufferPointer { buffer in
    guard var start = buffer.baseAddress else { return }
    _ = LLVMFuzzerRunDriver(&count, &start) { bytes, count in
        Parser.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
        return 0
    }
}
