internal import CurlTransport

/// What the page "libcurl versions" shows.
struct LibcurlVersions: Sendable {
    let print: Print

    func installed() {
        // snippet: LibcurlVersions/installed
        print(TransferOptions.defaultUserAgent)  // such as CurlNetworking/0.1 libcurl/7.88.1
        print(HTTPVersionPolicy.offersHTTP2ByDefault)
        print(HTTPVersionPolicy.offersHTTP3)
        // end
    }
}
