/// Finds a request's body bytes, and the body's end, in the received bytes.
struct BodyDecoder {
    private enum State {
        case length(Int)
        case chunkSize
        case chunk(Int)
        case chunkEnd
        case trailers
        case ended
    }

    private var state: State
    private(set) var trailerLines: [String] = []

    init(_ request: LoopbackRequest) {
        if request.header("Transfer-Encoding")?.lowercased() == "chunked" {
            state = .chunkSize
        } else if let length = request.header("Content-Length").flatMap({ Int($0) }), length > 0 {
            state = .length(length)
        } else {
            state = .ended
        }
    }

    var hasEnded: Bool {
        if case .ended = state { return true }
        return false
    }

    /// Consumes the available input and passes the body's bytes to `body`.
    mutating func decode(_ input: inout InputBuffer, body: (ArraySlice<UInt8>) -> Void) {
        while step(&input, body) {}
    }

    private mutating func step(
        _ input: inout InputBuffer,
        _ body: (ArraySlice<UInt8>) -> Void
    ) -> Bool {
        switch state {
        case .ended:
            return false
        case .length(let left):
            let taken = input.take(atMost: left)
            guard !taken.isEmpty else { return false }
            body(taken)
            state = taken.count == left ? .ended : .length(left - taken.count)
        case .chunk(let left):
            let taken = input.take(atMost: left)
            guard !taken.isEmpty else { return false }
            body(taken)
            state = taken.count == left ? .chunkEnd : .chunk(left - taken.count)
        case .chunkEnd:
            guard input.takeLine() != nil else { return false }
            state = .chunkSize
        case .chunkSize:
            guard let line = input.takeLine() else { return false }
            let digits = line.prefix { $0 != ";" }.filter { !$0.isWhitespace }
            let size = Int(digits, radix: 16) ?? 0
            state = size == 0 ? .trailers : .chunk(size)
        case .trailers:
            guard let line = input.takeLine() else { return false }
            if line.isEmpty { state = .ended } else { trailerLines.append(line) }
        }
        return true
    }
}
