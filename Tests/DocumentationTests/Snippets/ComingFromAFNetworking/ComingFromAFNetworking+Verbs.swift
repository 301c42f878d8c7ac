internal import CurlNetworking
internal import Foundation

extension ComingFromAFNetworking {
    func get() {
        // snippet: ComingFromAFNetworking/get
        manager.get("users", parameters: ["page": 2], headers: ["X-Trace": "1"]) { progress in
            print(progress.fractionCompleted)
        } success: { task, users in
            print(users ?? "no users")
        } failure: { task, error in
            print(error)
        }
        // end
    }

    func head() {
        // snippet: ComingFromAFNetworking/head
        manager.head("users/17") { task in
            print((task.response as? HTTPURLResponse)?.statusCode ?? 0)
        } failure: { task, error in
            print(error)
        }
        // end
    }

    func post() {
        // snippet: ComingFromAFNetworking/post
        manager.post("users", parameters: ["name": "Grace"]) { progress in
            print(progress.completedUnitCount)
        } success: { task, user in
            print(user ?? "no user")
        } failure: { task, error in
            print(error)
        }
        // end
    }

    func form(_ photo: URL) {
        // snippet: ComingFromAFNetworking/form
        manager.post(
            "photos",
            parameters: ["album": 3],
            constructingBodyWith: { form in
                try form.appendPart(withFileURL: photo, name: "photo")
            },
            progress: { progress in
                print(progress.fractionCompleted)
            },
            success: { task, answer in
                print(answer ?? "no answer")
            },
            failure: { task, error in
                print(error)
            }
        )
        // end
    }

    func put() {
        // snippet: ComingFromAFNetworking/put
        manager.put("users/17", parameters: ["name": "Ada"]) { task, user in
            print(user ?? "no user")
        } failure: { task, error in
            print(error)
        }
        // end
    }

    func patch() {
        // snippet: ComingFromAFNetworking/patch
        manager.patch("users/17", parameters: ["active": true]) { task, user in
            print(user ?? "no user")
        } failure: { task, error in
            print(error)
        }
        // end
    }

    func delete() {
        // snippet: ComingFromAFNetworking/delete
        manager.delete("users/17") { task, nothing in
            print("deleted")
        } failure: { task, error in
            print(error)
        }
        // end
    }

    func any() {
        // snippet: ComingFromAFNetworking/any
        let task = manager.dataTask(
            withHTTPMethod: "REPORT",
            urlString: "users",
            parameters: ["depth": 1],
            success: { task, report in print(report ?? "no report") },
            failure: { task, error in print(error) }
        )
        task?.resume()
        // end
    }

    func asynchronously(_ photo: URL) async throws {
        // snippet: ComingFromAFNetworking/async
        let users = try await manager.get("users", parameters: ["page": 2])
        try await manager.head("users/17")
        let user = try await manager.post("users", parameters: ["name": "Grace"])
        try await manager.post("photos", parameters: ["album": 3]) { form in
            try form.appendPart(withFileURL: photo, name: "photo")
        }
        try await manager.put("users/17", parameters: ["name": "Ada"])
        try await manager.patch("users/17", parameters: ["active": true])
        try await manager.delete("users/17")
        let report = try await manager.object(withHTTPMethod: "REPORT", urlString: "users")
        // end
        for object in [users, user, report] { print(object ?? "nothing") }
    }
}
