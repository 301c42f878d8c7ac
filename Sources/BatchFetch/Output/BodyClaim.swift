import Curl

/// A URL's claim to the file of its body, where files that are there have to stay and a run may have
/// been killed.
struct BodyClaim: Sendable {
    let claims: BodyClaims
    let ordinal: Int
    let url: String
    /// Whether the file may have a number.
    let isNumbered: Bool

    /// The file at `temporaryPath` is about to be named `path`, or that with a number. What an earlier
    /// run made for this URL, and was killed before it could say so, is removed.
    func take(_ path: String, from temporaryPath: String) throws(FileError) {
        if claims.mayHave(ordinal) {
            var number = 0
            while true {
                let candidate = FileName.numbered(path, number)
                guard try FileSystem.kind(of: candidate) != nil else { break }
                if claims.isOwn(candidate, ordinal: ordinal) { try FileSystem.remove(candidate) }
                guard isNumbered else { break }
                number += 1
            }
        }
        try claims.claim(temporaryPath, for: ordinal, url: url)
    }

    /// Whether the file is the body of another URL, which an earlier run made and couldn't say so.
    func isAnothers(_ path: String) -> Bool { claims.isAnothers(path, url: url) }
}
