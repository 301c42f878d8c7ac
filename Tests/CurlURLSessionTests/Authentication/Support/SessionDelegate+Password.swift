internal import CurlURLSession
internal import Foundation

extension URLCredential {
    /// A password of the user `user`.
    static func test(
        _ password: String,
        _ persistence: URLCredential.Persistence = .none
    ) -> URLCredential {
        URLCredential(user: "user", password: password, persistence: persistence)
    }
}

extension SessionDelegate {
    /// Answers each challenge with a password of `user`'s.
    convenience init(
        password: String,
        _ persistence: URLCredential.Persistence = .none
    ) {
        self.init { $0.challenge = { $1(.useCredential, .test(password, persistence)) } }
    }

    /// Answers challenges with one password of `user`'s after the other, and then as if nobody had been
    /// asked.
    convenience init(passwords: [String]) {
        self.init { answers in
            answers.challenge = { challenge, completion in
                let count = challenge.previousFailureCount
                guard count < passwords.count else {
                    return completion(.performDefaultHandling, nil)
                }
                completion(.useCredential, .test(passwords[count]))
            }
        }
    }
}
