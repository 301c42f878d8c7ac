internal import TestSupport
internal import Testing

@Suite struct LinkageTests {
    /// Examines an executable, because test bundles link Foundation themselves.
    @Test(.enabled(if: Executable.path("ldd") != nil))
    func transportLinksNoFoundation() async throws {
        let program = try BuildProducts.path("LinkageProbe")
        let (status, output) = try await NativeThread.run {
            try ChildProcess.run(["ldd", program].map { Executable.path($0) ?? $0 })
        }
        #expect(status == 0, "\(output)")
        #expect(output.contains("libcurl.so"))
        #expect(!output.contains("libFoundation"), "\(output)")
        #expect(!output.contains("libxml2"), "\(output)")
    }
}
