extension URLAuthenticationChallenge {
    /// Tells the sender what a session's delegate has answered.
    func answer(_ disposition: URLSession.AuthChallengeDisposition, _ credential: URLCredential?) {
        guard let sender else { return }
        switch disposition {
        case .useCredential:
            if let credential {
                sender.use(credential, for: self)
            } else {
                sender.continueWithoutCredential(for: self)
            }
        case .performDefaultHandling:
            sender.performDefaultHandling(for: self)
        case .cancelAuthenticationChallenge:
            sender.cancel(self)
        case .rejectProtectionSpace:
            sender.rejectProtectionSpaceAndContinue(with: self)
        }
    }
}
