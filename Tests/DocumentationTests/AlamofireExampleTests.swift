internal import CurlTransport
internal import CurlURLSession
internal import Foundation
internal import Testing

/// The examples of the page "Alamofire on Linux" do what it says.
@Suite struct AlamofireExampleTests {
    @Test func trustExampleConfiguresTLS() {
        let configuration = URLSessionConfiguration.ephemeral
        AlamofireOnLinux.trust(configuration, "a", "b")
        #expect(configuration.tlsConfiguration.publicKeyPins == ["sha256//a", "sha256//b"])
        #expect(configuration.tlsConfiguration.clientIdentity != nil)
    }

    @Test func resumeDataExampleFindsResumeData() {
        let data = Data("resume".utf8)
        let error = URLError(
            .networkConnectionLost,
            userInfo: [NSURLSessionDownloadTaskResumeData: data]
        )
        for (underlying, expected) in [(error, data), (nil, nil)] as [(URLError?, Data?)] {
            let response = AlamofireOnLinux.DownloadResponse(
                error: .init(underlyingError: underlying)
            )
            #expect(AlamofireOnLinux.resumeData(of: response) == expected)
        }
    }
}
