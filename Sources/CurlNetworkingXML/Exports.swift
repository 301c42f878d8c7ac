// Clients that use these serializers pass them to a manager.
@_exported public import CurlNetworking
