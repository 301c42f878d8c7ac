// Sets cookies in a file one by one and removes every second one again, while other processes do
// the same. The first argument is the file, the second the prefix of the cookies' names, the third
// their number.

internal import CurlURLSession
internal import Foundation

let arguments = CommandLine.arguments
guard arguments.count == 4, let count = Int(arguments[3]) else {
    print("usage: CookieProbe FILE NAME NUMBER")
    exit(2)
}
let storage = try HTTPCookieStorage(persistingAt: URL(fileURLWithPath: arguments[1]))
for index in 0..<count {
    let cookie = HTTPCookie(properties: [
        .name: "\(arguments[2])\(index)", .value: "v", .domain: "example.com", .path: "/",
        .maximumAge: 3600, .version: "1",
    ])
    guard let cookie else { exit(3) }
    storage.setCookie(cookie)
    try storage.flush()
    if !index.isMultiple(of: 2) {
        storage.deleteCookie(cookie)
        try storage.flush()
    }
}
