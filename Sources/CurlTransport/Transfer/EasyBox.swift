internal import Curl

/// An easy handle that can be used for one transfer after another.
///
/// Making a handle, setting its options and freeing it costs a tenth of a small request. Most
/// requests differ in URL and fields alone, so that a handle that has served one of them serves the
/// next with the options that it has.
final class EasyBox {
    let handle: EasyHandle

    /// How the handle is set up, where another transfer may go on with that.
    var setup: EasySetup?

    /// Where the handle's requests go, where it was told that apart from the path.
    private var endpoint: Endpoint?

    private var opensConnection = false

    /// libcurl's own choice for `CURLOPT_BUFFERSIZE`.
    static let usualBufferSize = 16 * 1024

    private(set) var bufferSize = EasyBox.usualBufferSize

    init(_ handle: consuming EasyHandle) {
        self.handle = handle
    }

    /// Spares libcurl the search for a connection where there is none: it looks at all that are in
    /// use, which for thousands of transfers at once is most of the work.
    func openConnection(_ opensConnection: Bool) throws(TransportError) {
        guard self.opensConnection != opensConnection else { return }
        do {
            try handle.set(.freshConnect, opensConnection)
        } catch {
            throw .configuration("libcurl refuses \(error.option): \(error.code)")
        }
        self.opensConnection = opensConnection
    }

    /// Has up to so many bytes of a response read at once, if libcurl lets go of the buffer that the
    /// handle may still have from its last transfer.
    func receive(bufferSize: Int) {
        guard self.bufferSize != bufferSize else { return }
        do {
            try handle.set(.bufferSize, bufferSize)
            self.bufferSize = bufferSize
        } catch {
            // Then it goes on with the size that it has.
        }
    }

    /// Lets requests go to `endpoint`, whatever their path.
    func lead(to endpoint: Endpoint) throws(EasyOptionFailure) {
        guard self.endpoint !== endpoint else { return }
        try handle.set(url: endpoint.url)
        self.endpoint = endpoint
    }
}

/// All that the setting up of a handle depends on, apart from URL and fields.
struct EasySetup: Equatable {
    let options: PreparedOptions
    let isSecure: Bool
    let sendsCredentials: Bool
    let waitsForMultiplexing: Bool

    static func == (lhs: EasySetup, rhs: EasySetup) -> Bool {
        lhs.options === rhs.options && lhs.isSecure == rhs.isSecure
            && lhs.sendsCredentials == rhs.sendsCredentials
            && lhs.waitsForMultiplexing == rhs.waitsForMultiplexing
    }
}
