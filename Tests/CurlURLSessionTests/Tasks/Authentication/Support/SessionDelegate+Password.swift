internal import CurlURLSession
internal import Foundation

extension URLCredential {
    /// A credential for the user `user` with the given password.
    static func test(
        _ password: String,
        _ persistence: URLCredential.Persistence = .none
    ) -> URLCredential {
        URLCredential(user: "user", password: password, persistence: persistence)
    }
}

extension SessionDelegate {
    /// Answers each challenge with `password` for the user `user`.
    convenience init(
        password: String,
        _ persistence: URLCredential.Persistence = .none
    ) {
        self.init { $0.challenge = { $1(.useCredential, .test(password, persistence)) } }
    }

    /// Answers successive challenges with `passwords` for `user`, then with default handling.
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
