// What `Load` is compiled against: the same sources are the library's client, too.
@_exported public import FoundationNetworking
