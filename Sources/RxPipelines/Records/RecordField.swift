/// The names of the daemon's journal fields. Users rely on them, so they must not change.
package enum RecordField: String, Sendable, CaseIterable {
    case kind = "RX_KIND"
    case generation = "RX_GENERATION"
    case phase = "RX_PHASE"

    case pipeline = "RX_PIPELINE"
    case source = "RX_SOURCE"
    case sink = "RX_SINK"
    case step = "RX_OPERATOR"
    case sequence = "RX_SEQUENCE"
    case cause = "RX_CAUSE"
    case eventID = "RX_EVENT_ID"
    case value = "RX_VALUE"
    case sourceValue = "RX_SOURCE_VALUE"
    case sourceTime = "RX_SOURCE_TIME"

    case error = "RX_ERROR"
    case errorType = "RX_ERROR_TYPE"
    case checkpoint = "RX_CHECKPOINT"
    case callStack = "RX_CALLSTACK"

    case suppressed = "RX_SUPPRESSED"

    case total = "RX_RESOURCES_TOTAL"
    case baseline = "RX_RESOURCES_BASELINE"
    case observables = "RX_OBSERVABLES"
    case subscriptions = "RX_SUBSCRIPTIONS"
    case disposables = "RX_DISPOSABLES"
    case subjects = "RX_SUBJECTS"
    case timers = "RX_TIMERS"
    case watches = "RX_WATCHES"
    case queued = "RX_QUEUED"
    case unsettled = "RX_UNSETTLED"
    case dropped = "RX_DROPPED"
    case spooled = "RX_SPOOLED"
    case residentKiB = "RX_RSS_KIB"
    case descriptors = "RX_FDS"
}
