import Foundation

extension JSONClientScript {
    static let accessSteps = [
        Step("cookies", cookies),
        Step("basic", basic),
        Step("basic of the task", basicOfTheTask),
        Step("wrong password", wrongPassword),
        Step("login given up", loginGivenUp),
        Step("nobody to ask", nobodyToAsk),
    ]

    private static func cookies(_ stage: Stage) async throws {
        let client = APIClient(stage)
        defer { client.session.finishTasksAndInvalidate() }
        await me(client, stage)
        var request = try client.request("POST", "login")
        request.httpBody = Data("user=ada&password=lovelace".utf8)
        request.setValue(
            "application/x-www-form-urlencoded",
            forHTTPHeaderField: "Content-Type"
        )
        let login = try await client.send(request, as: Nothing.self)
        stage.log("login: \(login.response.statusCode)")
        let storage = client.session.configuration.httpCookieStorage
        let cookies = storage?.cookies(for: stage.url("/me")) ?? []
        for cookie in cookies.sorted(by: { $0.name < $1.name }) {
            stage.log(
                "cookie \(cookie.name): path \(cookie.path), HTTP only \(cookie.isHTTPOnly), "
                    + "secure \(cookie.isSecure), session only \(cookie.isSessionOnly)"
            )
        }
        await me(client, stage)
        for cookie in storage?.cookies ?? [] { storage?.deleteCookie(cookie) }
        await me(client, stage)
    }

    /// Logs which user the service knows and which cookies it received.
    private static func me(_ client: APIClient, _ stage: Stage) async {
        do {
            let answer = try await client.get("me", as: [String: String].self)
            stage.log("I am \(answer["name"] ?? "nobody"), sent \(answer["cookies"] ?? "nothing")")
        } catch {
            stage.log("I am \(stage.text(of: error))")
        }
    }

    private static func basic(_ stage: Stage) async throws {
        let login = Login(stage, user: "ada", passwords: ["lovelace"])
        let client = APIClient(stage, delegate: login)
        defer { client.session.finishTasksAndInvalidate() }
        let answer = try await client.get("private", as: [String: String].self)
        stage.log("hello \(answer["name"] ?? "nobody")")
    }

    private static func basicOfTheTask(_ stage: Stage) async throws {
        let client = APIClient(stage)
        defer { client.session.finishTasksAndInvalidate() }
        let answer = try await client.send(
            client.request("GET", "private"),
            as: [String: String].self,
            delegate: Login(stage, user: "ada", passwords: ["lovelace"])
        )
        stage.log("hello \(answer.value["name"] ?? "nobody")")
    }

    private static func wrongPassword(_ stage: Stage) async throws {
        let login = Login(stage, user: "ada", passwords: ["babbage"])
        let client = APIClient(stage, delegate: login)
        defer { client.session.finishTasksAndInvalidate() }
        do {
            _ = try await client.get("private", as: Nothing.self)
        } catch APIError.unauthorized {
            stage.log("unauthorized")
        }
    }

    private static func loginGivenUp(_ stage: Stage) async throws {
        let login = Login(stage, user: "ada", passwords: [], end: .givesUp)
        let client = APIClient(stage, delegate: login)
        defer { client.session.finishTasksAndInvalidate() }
        do {
            _ = try await client.get("private", as: Nothing.self)
        } catch let error as URLError {
            stage.log("given up: \(stage.text(of: error))")
        }
    }

    private static func nobodyToAsk(_ stage: Stage) async throws {
        let client = APIClient(stage)
        defer { client.session.finishTasksAndInvalidate() }
        do {
            _ = try await client.get("private", as: Nothing.self)
        } catch APIError.unauthorized {
            stage.log("unauthorized")
        }
    }
}
