import Foundation

extension SurfaceScript {
    static func challenges(_ stage: Stage) {
        let sender = ChallengeSender(stage)
        let ada = URLCredential(user: "ada", password: "lovelace", persistence: .none)
        let challenge = URLAuthenticationChallenge(
            protectionSpace: space("notes"),
            proposedCredential: ada,
            previousFailureCount: 2,
            failureResponse: HTTPURLResponse(
                url: stage.url("/"),
                statusCode: 401,
                httpVersion: nil,
                headerFields: nil
            ),
            error: URLError(.userAuthenticationRequired),
            sender: sender
        )
        describe(challenge, stage)
        let passedOn = URLAuthenticationChallenge(
            authenticationChallenge: challenge,
            sender: sender
        )
        describe(passedOn, stage)
        let asked = passedOn.sender
        asked?.use(ada, for: passedOn)
        asked?.continueWithoutCredential(for: passedOn)
        asked?.cancel(passedOn)
        asked?.performDefaultHandling(for: passedOn)
        asked?.rejectProtectionSpaceAndContinue(with: passedOn)
        let dispositions: [URLSession.AuthChallengeDisposition] = [
            .useCredential, .performDefaultHandling, .cancelAuthenticationChallenge,
            .rejectProtectionSpace,
        ]
        for disposition in dispositions {
            let same = URLSession.AuthChallengeDisposition(rawValue: disposition.rawValue)
            let isSame = same.map { hasValue($0, equalTo: disposition) } == true
            stage.log("disposition \(disposition.rawValue): \(isSame)")
        }
    }

    private static func describe(_ challenge: URLAuthenticationChallenge, _ stage: Stage) {
        stage.log("realm \(challenge.protectionSpace.realm ?? "none")")
        stage.log("proposed \(challenge.proposedCredential?.user ?? "nobody")")
        stage.log("\(challenge.previousFailureCount) failures")
        let status = (challenge.failureResponse as? HTTPURLResponse)?.statusCode ?? 0
        stage.log("\(status): \(stage.text(of: challenge.error))")
        stage.log("sender: \(challenge.sender is ChallengeSender)")
    }
}
