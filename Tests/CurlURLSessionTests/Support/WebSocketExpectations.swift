internal import CurlURLSession
internal import Foundation
internal import Testing

/// Expects a text message.
func expectText(
    _ message: URLSessionWebSocketTask.Message,
    _ text: String,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    guard case .string(let found) = message else {
        Issue.record("\(message)", sourceLocation: sourceLocation)
        return
    }
    #expect(found == text, sourceLocation: sourceLocation)
}

/// Expects `body` to throw a `URLError` of that code.
func expectFailure(
    _ code: URLError.Code,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Void
) async {
    do {
        try await body()
        Issue.record("it didn't fail", sourceLocation: sourceLocation)
    } catch {
        #expect((error as? URLError)?.code == code, "\(error)", sourceLocation: sourceLocation)
    }
}
