internal import Foundation
internal import HTTPSemantics

/// Reads a stream line by line, as bytes.
struct LineReader {
    private let stream: ResponseStream
    private var parser: LineParser

    init(_ stream: ResponseStream, limit: Int) {
        self.stream = stream
        parser = LineParser(limit: limit)
    }

    /// Returns the next complete line or the last one, or `nil`.
    ///
    /// - Throws: The transport's error, or an error for a line that is too long, which ends the
    ///   transfer.
    mutating func next() async throws -> [UInt8]? {
        while true {
            if let line = try parse({ parser throws(LineParser.LineTooLong) in try parser.next() })
            {
                return line
            }
            guard let piece = try await stream.source.next() else {
                return try parse { parser throws(LineParser.LineTooLong) in try parser.finish() }
            }
            parser.append([UInt8](piece))
        }
    }

    private mutating func parse(
        _ step: (inout LineParser) throws(LineParser.LineTooLong) -> [UInt8]?
    ) throws -> [UInt8]? {
        do {
            return try step(&parser)
        } catch {
            throw stream.source.refuse(because: NSError.lineTooLong(error.limit, stream.response))
        }
    }
}
