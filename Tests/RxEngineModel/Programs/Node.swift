/// A program's expression: an observable of integers.
package indirect enum Node: Hashable, Sendable {
    case source(Source)
    case one(OneSource, Node)
    case two(TwoSources, Node, Node)
    case many(ManySources, [Node])
    /// Makes a sequence of each element: the choice is the element modulo the number of choices.
    case each(Flattening, Node, Choice)

    package var children: [Node] {
        switch self {
        case .source: []
        case .one(_, let node): [node]
        case .two(_, let first, let second): [first, second]
        case .many(_, let nodes): nodes
        case .each(_, let node, let choice): [node] + choice.nodes
        }
    }

    /// The same operator over other children, as many as it has.
    package func with(children: [Node]) -> Node {
        switch self {
        case .source: self
        case .one(let name, _): .one(name, children[0])
        case .two(let name, _, _): .two(name, children[0], children[1])
        case .many(let name, _): .many(name, children)
        case .each(let name, _, var choice):
            {
                choice.nodes = Array(children.dropFirst())
                return .each(name, children[0], choice)
            }()
        }
    }

    /// The number of operators and sources.
    package var size: Int { children.reduce(1) { $0 + $1.size } }
}

/// The sequences that a flattening operator makes of elements.
package struct Choice: Hashable, Sendable {
    package var nodes: [Node]
    package var throwsAt: Int?

    package init(_ nodes: [Node], throwsAt: Int? = nil) {
        self.nodes = nodes
        self.throwsAt = throwsAt
    }

    package func index(_ value: Int) throws -> Int {
        if value == throwsAt { throw Failure(72) }
        return abs(value) % nodes.count
    }
}

package indirect enum Source: Hashable, Sendable {
    /// One of the program's hot observables.
    case hot(Int)
    case cold(id: Int, [TimedEvent])
    case just(Int)
    case empty
    case error(Int)
    case never
    case optional(Int?)
    case of([Int])
    case from([Int])
    case range(start: Int, count: Int)
    case generate(start: Int, limit: Int, step: Int, throwsAt: Int?)
    case repeatElement(Int)
    /// Emits everything inside `subscribe`, and continues after the end.
    case create(id: Int, [ProgramEvent])
    case timer(Int)
    case ticks(Int, period: Int)
    case interval(Int)
    /// One of the program's subjects; not in the model.
    case subject(Int)
    /// One of the program's shared sequences; not in the model.
    case shared(Int)
    case justScheduled(Int)
    case ofScheduled([Int])
    case fromScheduled([Int])
    case rangeScheduled(start: Int, count: Int)
    case generateScheduled(start: Int, limit: Int, step: Int, throwsAt: Int?)
    case repeatScheduled(Int)
    /// Emits everything inside `subscribe`, and continues after the end, without the protection of `create`.
    case ungrammatical(id: Int, [ProgramEvent])
    /// The same source of another type of sequence.
    case via(Trait, Source)
}

/// The parts into which `partition` splits a sequence.
package enum PartitionPart: Hashable, Sendable {
    case matching, others
}

package indirect enum OneSource: Hashable, Sendable {
    // Sources that wrap a source.
    case deferred(throws: Bool)
    case using(id: Int, UsingThrow)
    // Element by element.
    case map(Function)
    case compactMap(Condition, Function)
    case mapTo(Int)
    /// Elements that do not satisfy the condition are `nil`.
    case unwrap(Condition)
    /// Elements that do not satisfy the condition are of another type.
    case ofType(Condition), cast(Condition)
    /// A part of the elements, of a split for each subscription.
    case partition(Condition, PartitionPart)
    case doFinally(id: Int)
    case filter(Condition)
    case scan(Int, throwsAt: Int? = nil)
    case scanInto(Int, throwsAt: Int? = nil)
    case enumerated
    case pairwise
    case nwise(Int)
    case distinctUntilChanged
    case distinct
    case distinctByKey(Int, throwsAt: Int? = nil)
    /// Elements are equal if they differ by one at most.
    case distinctByComparer(throwsAt: Int? = nil)
    case distinctByKeyAndComparer(Int, throwsAt: Int? = nil)
    /// An object that is released when this element is emitted.
    case withUnretained(diesAt: Int?)
    case timestamp
    case debug
    case startWith([Int])
    case materializeDematerialize
    case materialize
    /// `materialize().elements()`
    case materializeElements
    /// Adds the first element to each.
    case switchOnFirst
    case asObservable
    case checkpoint
    case tag
    case identityMap
    case terminateDetach
    // Beginnings and ends.
    case take(Int)
    case takeWhile(Condition, inclusive: Bool)
    case takeUntilPredicate(Condition, inclusive: Bool)
    case takeLast(Int)
    case skip(Int)
    case skipLast(Int)
    case skipWhile(Condition)
    case elementAt(Int)
    case first
    case single
    case singleWhere(Condition)
    case ifEmptyDefault(Int)
    case ignoreElements
    // Whole sequences.
    case reduce(Int, throwsAt: Int? = nil)
    case reduceMapResult(Int, throws: Bool)
    case toArray
    case bufferCount(Int, skip: Int)
    case bufferWhile(Condition)
    case asSingle
    case asMaybe
    case asCompletable
    // Side effects.
    case `do`(SideEffects)
    // Errors.
    case catchAndReturn(Int)
    case retry(Int)
    case retryForever
    case repeatCount(Int)
    case retryPolicy(Policy)
    case multicastSelector(Selector)
    // Time.
    case debounce(Int)
    case throttle(Int, latest: Bool)
    case throttleFirst(Int)
    /// Adds a hundred times the interval.
    case timeInterval
    case auditTime(Int)
    case throttleLast(Int)
    case takeLastFor(Int)
    case delay(Int)
    case delaySubscription(Int)
    case timeout(Int)
    case takeFor(Int)
    case skipFor(Int)
    case bufferTime(Int, count: Int)
    case window(Int, count: Int, WindowFlattening)
    case groupBy(Int, WindowFlattening, throwsAt: Int? = nil)
    case observeOn
    case subscribeOn
    /// In the model if there is one subscriber at a time.
    case share(replay: Int)
    /// The same operator of another type of sequence.
    case via(Trait, OneSource)

    /// A retry policy. If `isExponential`, the spans double from `span` on, up to three times of it.
    package struct Policy: Hashable, Sendable {
        package var times: Int?
        package var span: Int
        package var isExponential = false
        package var elementsReset = false
        /// An error that is not retried.
        package var passes: Int?

        package init(times: Int?, span: Int, passes: Int? = nil) {
            self.times = times
            self.span = span
            self.passes = passes
        }
    }

    /// The result of `multicast(_:selector:)` for the shared run.
    package enum Selector: Hashable, Sendable { case itself, mergedTwice, zippedWithRest, firstElement, `throws` }
    package enum UsingThrow: Hashable, Sendable { case nothing, resource, observable }
    package enum WindowFlattening: Hashable, Sendable { case merge, concat, switchLatest, count }
}

/// Which closures a `do` has.
package struct SideEffects: Hashable, Sendable {
    package enum Callback: Int, Hashable, Sendable, CaseIterable {
        case onNext, afterNext, onError, afterError, onCompleted, afterCompleted, onSubscribe, onSubscribed, onDispose
    }

    package var id: Int
    package var closures: Set<Callback>
    /// The element at which `onNext` throws.
    package var throwsAt: Int?
    /// Whether `onCompleted` and `onError` throw.
    package var throwsAtEnd = false

    package init(id: Int, closures: Set<Callback>, throwsAt: Int? = nil, throwsAtEnd: Bool = false) {
        self.id = id
        self.closures = closures
        self.throwsAt = throwsAt
        self.throwsAtEnd = throwsAtEnd
    }
}

package indirect enum TwoSources: Hashable, Sendable {
    case takeUntil, skipUntil
    case sample(default: Int?)
    case zipLongest
    case sequenceEqual
    /// The gate is open at even elements of the second sequence.
    case pausable
    case pausableBuffered(limit: Int, Overflow)
    case bufferUntil
    case windowUntil(OneSource.WindowFlattening)
    case mergeDelayError, concatDelayError
    case withLatestFrom
    case withLatestFromThrowing(Int)
    case amb
    case concat
    case ifEmptySwitch
    case timeoutOther(Int)
    case catchHandler(throws: Bool)
    /// Whether the notifier is the errors flattened to the second sequence, or the second sequence itself.
    case retryWhen(flatMap: Bool)
    case retryWhenTyped
    /// Whether the notifier is the completions flattened to the second sequence, or the second sequence itself.
    case repeatWhen(flatMap: Bool)
    case andThen
    /// Only as an operator of `Completable`.
    case andThenTrait(Trait)
    /// Only as an operator of `Maybe`.
    case ifEmptySwitchSingle
    /// How an observable becomes a sequence without errors: on an error it continues with another. Only as operators of
    /// traits without errors.
    case fallback, recover
    case via(Trait, TwoSources)

    /// What happens to an element that finds a queue full.
    package enum Overflow: Hashable, Sendable { case dropOldest, dropNewest, latest, error }
}

package indirect enum ManySources: Hashable, Sendable {
    case combineLatest, combineLatestCollection
    case zip, zipCollection
    case zipLongestCollection
    case combineLatestDelayError
    case concatEager
    /// The selector throws at this element.
    case combineLatestThrowing(Int), combineLatestCollectionThrowing(Int), zipThrowing(Int), zipCollectionThrowing(Int)
    case merge, concat, amb, catchSequence
    case via(Trait, ManySources)
}

package indirect enum Flattening: Hashable, Sendable {
    case flatMap, flatMapFirst, flatMapLatest, concatMap
    case concatMapEager(Int)
    case mapMerge, mapMergeLimited(Int), flatMapLimited(Int), mapConcat, mapSwitchLatest
    /// `expand` down to the second generation.
    case expandTwice
    /// `flatMap`, `flatMapMaybe`, `flatMapCompletable` of `Single`, `flatMap` of `Maybe`.
    case traitFlatMap(from: Trait, to: Trait)
    case via(Trait, Flattening)
}

/// A subscriber of a program.
package struct Subscriber: Hashable, Sendable {
    package var subscribesAt: Int
    package var disposesAt: Int
    /// Disposes from inside its `onNext` after this many elements.
    package var disposesAfter: Int?

    package init(subscribesAt: Int, disposesAt: Int, disposesAfter: Int? = nil) {
        self.subscribesAt = subscribesAt
        self.disposesAt = disposesAt
        self.disposesAfter = disposesAfter
    }
}

/// A program: hot observables, an expression over them and subscribers.
package struct Program: Hashable, Sendable {
    package var hots: [[TimedEvent]]
    package var root: Node
    package var subscribers: [Subscriber]
    package var subjects: [SubjectKind] = []
    /// Each may use those before it.
    package var shared: [Shared] = []
    package var feedback: [Feedback] = []

    package init(hots: [[TimedEvent]], root: Node, subscribers: [Subscriber]) {
        self.hots = hots
        self.root = root
        self.subscribers = subscribers
    }

    /// The tick at which the last subscriber unsubscribes.
    package static let horizon = 60
    /// The last tick that matters: a release on a scheduler may be later than the unsubscription.
    package static let lastTick = 99
}

package enum SubjectKind: Hashable, Sendable {
    case publish
    case behavior(Int)
    case replay(Int)
}

/// A sequence that several places of a program share.
package struct Shared: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case share(replay: Int, forever: Bool)
        case publishRefCount
        case replayRefCount(Int)
        case multicastSubject
    }

    package var node: Node
    package var kind: Kind
}

/// What a subscriber does from inside its callbacks.
package struct Feedback: Hashable, Sendable {
    package enum Action: Hashable, Sendable {
        /// Sends each element, plus one, to a subject.
        case push(subject: Int)
        /// Ends a subject with its own end.
        case end(subject: Int)
        /// Subscribes again at the end.
        case resubscribe
    }

    package var subscriber: Int
    package var action: Action
    /// The maximum number of times.
    package var limit: Int
}
