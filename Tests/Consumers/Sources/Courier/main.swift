// A small program ported from AFNetworking: it fetches JSON, uploads a form with progress, resumes
// a download, and accepts only the pinned certificate.
//
//     Courier [--pin CERTIFICATE] list URL PAGE
//     Courier [--pin CERTIFICATE] send URL FILE
//     Courier [--pin CERTIFICATE] fetch URL PATH FILE

import CurlNetworking
import Foundation

func usage() -> Never {
    print("usage: Courier [--pin CERTIFICATE] list URL PAGE | send URL FILE | fetch URL PATH FILE")
    exit(2)
}

var arguments = Array(CommandLine.arguments.dropFirst())
var pin: Data?
if arguments.first == "--pin", arguments.count > 1 {
    pin = try Data(contentsOf: URL(fileURLWithPath: arguments[1]))
    arguments.removeFirst(2)
}
guard arguments.count >= 3, let url = URL(string: arguments[1]) else { usage() }
let courier = Courier(client: try CourierClient(url: url, pin: pin))

switch (arguments[0], arguments.count) {
case ("list", 3): courier.list(page: Int(arguments[2]) ?? 1)
case ("send", 3): courier.send(URL(fileURLWithPath: arguments[2]))
case ("fetch", 4): try courier.fetch(arguments[2], to: URL(fileURLWithPath: arguments[3]))
default: usage()
}
dispatchMain()
