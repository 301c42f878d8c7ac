internal import Foundation
internal import Testing

/// Checks that deprecated declarations say so.
///
/// Only a compiler's warning shows it, and the package itself is compiled without any. So the
/// sources are read.
struct DeprecationTests {
    /// The options of sessions that have no effect, and that Foundation deprecates.
    private static let options = [
        "httpShouldUsePipelining", "shouldUseExtendedBackgroundIdleMode",
    ]

    @Test(
        "The session options that Foundation deprecates are deprecated, with a reason",
        arguments: options
    )
    func optionsWithoutEffectAreDeprecated(_ name: String) throws {
        let files = try SourceTree.swiftFiles("Sources/CurlURLSession/Configuration")
        let file = try #require(files.first { $0.name == "URLSessionConfiguration" })
        let declaration = "    open var \(name): Bool {"
        let index = try #require(file.code.firstIndex { $0 == declaration })
        let attribute = try #require(file.code[..<index].last)
        #expect(attribute.hasPrefix("    @available(*, deprecated, message: \""))
        // The comment tells why: the option changes nothing.
        let comment = file.lines[..<index].suffix(5).joined(separator: "\n")
        #expect(comment.contains("/// It has no effect"))
        #expect(!comment.contains("open var"))
    }
}
