import Foundation

extension SurfaceScript {
    private static let policies: [URLRequest.CachePolicy] = [
        .useProtocolCachePolicy, .reloadIgnoringLocalCacheData,
        .reloadIgnoringLocalAndRemoteCacheData, .returnCacheDataElseLoad,
        .returnCacheDataDontLoad, .reloadRevalidatingCacheData, .reloadIgnoringCacheData,
    ]
    private static let services: [URLRequest.NetworkServiceType] = [
        .default, .voip, .video, .background, .voice, .networkServiceTypeCallSignaling,
    ]

    /// The value type.
    static func requests(_ stage: Stage) {
        for policy in policies {
            let same = NSURLRequest.CachePolicy(rawValue: policy.rawValue)
            stage.log(
                "policy \(policy.rawValue): \(same.map { hasValue($0, equalTo: policy) } == true)"
            )
        }
        for service in services {
            let same = NSURLRequest.NetworkServiceType(rawValue: service.rawValue)
            let isSame = same.map { hasValue($0, equalTo: service) } == true
            stage.log("service \(service.rawValue): \(isSame)")
        }
        var request = URLRequest(url: stage.url("/a"))
        describe(request, stage)
        let plain = request
        fill(&request, stage)
        describe(request, stage)
        stage.log("class: \(URLRequest.ReferenceType.self == NSURLRequest.self)")
        stage.log("equal: \(hasValue(request, equalTo: request)), \(request == plain)")
        stage.log("differs: \(request != plain)")
        stage.log("described: \(request.description == request.url?.description)")
        stage.log("debugged: \(request.debugDescription == request.description)")
        stage.log("mirrored: \(request.customMirror.children.isEmpty)")
        setInLoops(&request, stage)
        let limited = URLRequest(
            url: stage.url("/b"),
            cachePolicy: .returnCacheDataElseLoad,
            timeoutInterval: 2.5
        )
        stage.log("\(limited.cachePolicy.rawValue), \(limited.timeoutInterval) s")
    }

    /// Unlike the tests, this program is optimised in release builds, where the methods may become
    /// part of the loops.
    private static func setInLoops(_ request: inout URLRequest, _ stage: Stage) {
        for number in 0..<4 { request.setValue("\(number)", forHTTPHeaderField: "X-\(number)") }
        for number in 0..<4 { request.addValue("again", forHTTPHeaderField: "x-\(number)") }
        let fields = (request.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }
        for (name, value) in fields { stage.log("\(name): \(value)") }
    }

    private static func fill(_ request: inout URLRequest, _ stage: Stage) {
        request.url = stage.url("/b?c=d")
        request.mainDocumentURL = stage.url("/main")
        request.cachePolicy = .reloadIgnoringLocalCacheData
        request.timeoutInterval = 12
        request.networkServiceType = .video
        request.allowsCellularAccess = false
        request.httpMethod = "PUT"
        request.httpShouldHandleCookies = false
        request.httpBody = Data("body".utf8)
        request.allHTTPHeaderFields = ["X-One": "1"]
        request.setValue("2", forHTTPHeaderField: "X-Two")
        request.addValue("3", forHTTPHeaderField: "x-two")
        request.setValue(nil, forHTTPHeaderField: "x-one")
    }

    private static func describe(_ request: URLRequest, _ stage: Stage) {
        stage.log("\(request.httpMethod ?? "no method") \(request.url?.relativePath ?? "nowhere")")
        stage.log("main \(request.mainDocumentURL?.path ?? "none")")
        stage.log("policy \(request.cachePolicy.rawValue), \(request.timeoutInterval) s")
        stage.log("service \(request.networkServiceType.rawValue)")
        stage.log("cellular \(request.allowsCellularAccess)")
        stage.log("cookies \(request.httpShouldHandleCookies)")
        stage.log("body \(request.httpBody?.count ?? -1), stream \(request.httpBodyStream != nil)")
        stage.log("fields \(request.allHTTPHeaderFields ?? [:])")
        stage.log("two \(request.value(forHTTPHeaderField: "X-TWO") ?? "none")")
    }

    /// The classes.
    static func requestObjects(_ stage: Stage) {
        let plain = NSURLRequest(url: stage.url("/a"))
        describe(plain, stage)
        let limited = NSURLRequest(
            url: stage.url("/b"),
            cachePolicy: .returnCacheDataDontLoad,
            timeoutInterval: 7
        )
        stage.log("\(limited.cachePolicy.rawValue), \(limited.timeoutInterval) s")
        let mutable = NSMutableURLRequest(url: stage.url("/c"))
        fill(mutable)
        describe(mutable, stage)
        stage.log("added \(mutable.value(forHTTPHeaderField: "X-TWO") ?? "none")")
        let copy = mutable.copy() as? NSURLRequest
        stage.log("copied: \(copy?.isEqual(mutable) == true), \(copy?.hash == mutable.hash)")
        let value = mutable as URLRequest
        stage.log("as a value: \(value.httpMethod ?? "none")")
        stage.log("as an object: \((value as NSURLRequest).isEqual(mutable))")
        let zoned = plain.copy(with: nil) as? NSURLRequest
        stage.log("same: \(zoned?.isEqual(plain) == true)")
        let other = plain.mutableCopy() as? NSMutableURLRequest
        other?.httpMethod = "DELETE"
        stage.log("\(plain.httpMethod ?? "none") \(other?.httpMethod ?? "none")")
        let another = limited.mutableCopy(with: nil) as? NSMutableURLRequest
        another?.timeoutInterval = 8
        stage.log("\(limited.timeoutInterval) \(another?.timeoutInterval ?? 0)")
        let third = NSMutableURLRequest(
            url: stage.url("/d"),
            cachePolicy: .useProtocolCachePolicy,
            timeoutInterval: 9
        )
        stage.log("\((third.copy(with: nil) as? NSURLRequest)?.timeoutInterval ?? 0)")
        stage.log("described: \(plain.description.contains("/a"))")
    }

    private static func fill(_ request: NSMutableURLRequest) {
        request.url = request.url?.appendingPathComponent("d")
        request.mainDocumentURL = request.url
        request.cachePolicy = .returnCacheDataElseLoad
        request.timeoutInterval = 3
        request.networkServiceType = .background
        request.allowsCellularAccess = false
        request.httpMethod = "POST"
        request.httpBody = Data("object".utf8)
        request.httpShouldHandleCookies = false
        request.allHTTPHeaderFields = ["X-One": "1"]
        request.setValue("2", forHTTPHeaderField: "X-Two")
        request.addValue("3", forHTTPHeaderField: "x-two")
        let streamed = NSMutableURLRequest(url: URL(fileURLWithPath: "/stream"))
        streamed.httpBodyStream = InputStream(data: Data("stream".utf8))
        request.setValue(
            streamed.httpBodyStream == nil ? "none" : "some",
            forHTTPHeaderField: "X-Stream"
        )
    }

    private static func describe(_ request: NSURLRequest, _ stage: Stage) {
        stage.log("\(request.httpMethod ?? "no method") \(request.url?.path ?? "nowhere")")
        stage.log("main \(request.mainDocumentURL?.path ?? "none")")
        stage.log("policy \(request.cachePolicy.rawValue), \(request.timeoutInterval) s")
        stage.log("service \(request.networkServiceType.rawValue)")
        stage.log("cellular \(request.allowsCellularAccess)")
        stage.log("cookies \(request.httpShouldHandleCookies)")
        stage.log("body \(request.httpBody?.count ?? -1), stream \(request.httpBodyStream != nil)")
        let fields = (request.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }
        for (name, value) in fields { stage.log("field \(name): \(value)") }
    }

    static func requestArchives(_ stage: Stage) throws {
        stage.log("secure: \(NSURLRequest.supportsSecureCoding)")
        let request = NSMutableURLRequest(url: stage.url("/kept"))
        request.httpMethod = "PATCH"
        request.setValue("1", forHTTPHeaderField: "X-One")
        request.httpBody = Data("kept".utf8)
        let archive = try NSKeyedArchiver.archivedData(
            withRootObject: request,
            requiringSecureCoding: true
        )
        let read = try NSKeyedUnarchiver.unarchivedObject(
            ofClass: NSMutableURLRequest.self,
            from: archive
        )
        stage.log("\(read?.httpMethod ?? "none") \(read?.url?.path ?? "none")")
        stage.log(
            "\(read?.value(forHTTPHeaderField: "x-one") ?? "none") \(read?.httpBody?.count ?? 0)"
        )
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        NSURLRequest(url: stage.url("/byhand")).encode(with: archiver)
        archiver.finishEncoding()
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
        let byHand = NSURLRequest(coder: unarchiver)
        stage.log(byHand?.url?.path ?? "none")
        let mutable = NSMutableURLRequest(coder: unarchiver)
        stage.log(mutable?.url?.path ?? "none")
    }
}
