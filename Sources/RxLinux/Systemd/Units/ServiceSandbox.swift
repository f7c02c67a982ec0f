/// The restrictions that the unit of a service sets on the file system, its user, and its credentials.
public struct ServiceSandbox: Sendable, Equatable {
    /// `ProtectHome=`.
    public var protectHome = "no"
    /// `ProtectSystem=`.
    public var protectSystem = "no"
    /// `PrivateTmp=`.
    public var hasPrivateTmp = false
    /// `PrivateDevices=`.
    public var hasPrivateDevices = false
    /// `ProtectKernelTunables=`.
    public var protectsKernelTunables = false
    /// `ProtectControlGroups=`.
    public var protectsControlGroups = false
    /// `InaccessiblePaths=`.
    public var inaccessible: [String] = []
    /// `ReadOnlyPaths=`.
    public var readOnly: [String] = []
    /// `ReadWritePaths=`.
    public var readWrite: [String] = []
    /// The directories that the service manager creates for the service, and gives to its user.
    public var owned: [String] = []
    /// The destinations of `BindPaths=` and `BindReadOnlyPaths=`.
    public var bound: [String] = []
    /// The user that the service runs as; `nil` if permissions are not checked.
    public var user: ServiceUser?
    /// The credentials that the unit passes; `nil` if these are not checked.
    public var credentials: ServiceCredentials?

    /// Creates a sandbox without restrictions.
    public init() {}

    /// Why a service cannot use a path.
    public struct Restriction: Sendable, Hashable {
        /// The setting or permission to change so that the service can use the path.
        public enum Cause: Sendable, Hashable {
            /// The setting for home directories.
            case home
            /// The setting for temporary files: the service has its own.
            case temporary
            /// The setting for devices.
            case devices
            /// A setting that makes everything read-only, but for exceptions.
            case readOnly
            /// Another setting.
            case other
            /// The permissions of a file, which allow it to the members of this group, if there is one.
            case permissions(group: String?)
        }

        /// The setting or permission to change.
        public let cause: Cause
        /// The setting or the permissions, and their effect.
        public let reason: String

        /// Creates an restriction.
        public init(_ cause: Cause, _ reason: String) {
            (self.cause, self.reason) = (cause, reason)
        }
    }
}
