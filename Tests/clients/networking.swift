// modes: 5
// A networking layer written for RxSwift: callbacks as singles, retries with growing delays, a cache that may be empty,
// a store that only succeeds or fails.
import Dispatch
import RxEngine

struct User: Equatable {
    let id: Int
    let name: String
}

enum Failure: Error, Equatable { case transport(Int), refused }

class Session {
    var failuresLeft: Int
    private(set) var attempts = 0
    private let queue = DispatchQueue(label: "session")

    init(failures: Int) { failuresLeft = failures }

    func get(_ path: String, completion: @escaping (String?, Error?) -> Void) -> DispatchWorkItem {
        let work = DispatchWorkItem {
            self.attempts += 1
            self.failuresLeft -= 1
            if self.failuresLeft >= 0 {
                completion(nil, Failure.transport(self.attempts))
            } else {
                completion("body of \(path)", nil)
            }
        }
        queue.async(execute: work)
        return work
    }
}

extension Session: ReactiveCompatible {}

extension Reactive where Base: Session {
    func body(of path: String) -> Single<String> {
        return Single<String>.create { single in
            let work = self.base.get(path) { body, error in
                if let body = body {
                    single(.success(body))
                } else {
                    single(.failure(error ?? Failure.refused))
                }
            }
            return Disposables.create { work.cancel() }
        }
    }
}

extension PrimitiveSequence where Trait == SingleTrait {
    func retry(pausing count: Int, on scheduler: SchedulerType) -> Single<Element> {
        return retry(when: { errors in
            errors.enumerated().flatMap { attempt, error -> Observable<Int> in
                guard attempt < count else { return .error(error) }
                return .timer(.milliseconds(1 << attempt), scheduler: scheduler)
            }
        })
    }

    func asResult() -> Single<Result<Element, Error>> {
        map { .success($0) }.catch { .just(.failure($0)) }
    }
}

class Users {
    private var cache: [Int: User] = [:]
    private let session: Session
    private let background = ConcurrentDispatchQueueScheduler(qos: .background)
    private let serial = SerialDispatchQueueScheduler(internalSerialQueueName: "users")

    init(session: Session) { self.session = session }

    func cached(_ id: Int) -> Maybe<User> {
        return Maybe<User>.create { maybe in
            if let user = self.cache[id] {
                maybe(.success(user))
            } else {
                maybe(.completed)
            }
            return Disposables.create()
        }
    }

    func fetched(_ id: Int) -> Single<User> {
        session.rx.body(of: "/users/\(id)")
            .subscribe(on: background)
            .retry(pausing: 5, on: serial)
            .map { User(id: id, name: $0) }
            .observe(on: serial)
            .timeout(.seconds(10), scheduler: serial)
    }

    func user(_ id: Int) -> Single<User> {
        cached(id)
            .ifEmpty(switchTo: fetched(id))
            .do(onSuccess: { [weak self] in self?.cache[id] = $0 })
    }

    func save(_ user: User) -> Completable {
        return Completable.create { completable in
            completable(user.id > 0 ? .completed : .error(Failure.refused))
            return Disposables.create {}
        }
    }

    func refresh(_ ids: [Int]) -> Single<[String]> {
        Single.zip(
            ids.map { id in
                user(id).flatMap { user in self.save(user).andThen(.just(user.name)) }
            })
    }

    func store(_ id: Int) -> Completable {
        user(id)
            .flatMapCompletable(save)
            .catch { error in (error as? Failure) == .refused ? .empty() : .error(error) }
    }
}

func wait<T>(_ source: Observable<T>) -> [Event<T>] {
    var events: [Event<T>] = []
    let over = DispatchSemaphore(value: 0)
    let subscription = source.materialize()
        .subscribe(onNext: { events.append($0) }, onCompleted: { over.signal() })
    over.wait()
    subscription.dispose()
    return events
}

func run() {
    let session = Session(failures: 3)
    let users = Users(session: session)
    print(wait(users.user(1).map(\.name).asObservable()), "attempts:", session.attempts)
    print(wait(users.user(1).map(\.name).asObservable()), "attempts:", session.attempts)
    print(wait(users.refresh([1, 2]).asObservable()))
    print(wait(users.store(1).asObservable()), wait(users.store(-1).asObservable()))
    print(wait(Single.zip(users.user(1), users.user(2)) { $0.id + $1.id }.asObservable()))
    print(wait(users.cached(9).map(\.name).ifEmpty(default: "nobody").asObservable()))

    let unreachable = Session(failures: .max)
    let elsewhere = SerialDispatchQueueScheduler(qos: .default)
    print(wait(unreachable.rx.body(of: "/").retry(pausing: 2, on: elsewhere).asObservable()))
    print(wait(unreachable.rx.body(of: "/").retry(2).catchAndReturn("offline").asObservable()), unreachable.attempts)
    let result = unreachable.rx.body(of: "/").asResult()
    print(wait(result.map { result in (try? result.get()) ?? "nothing" }.asObservable()))
}

run()

// Prints:
// [next(body of /users/1), completed] attempts: 4
// [next(body of /users/1), completed] attempts: 4
// [next(["body of /users/1", "body of /users/2"]), completed]
// [completed] [completed]
// [next(3), completed]
// [next(nobody), completed]
// [error(transport(3))]
// [next(offline), completed] 5
// [next(nothing), completed]
