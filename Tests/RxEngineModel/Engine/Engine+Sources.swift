import RxEngine
import RxEngineTest

extension Engine {
    func observable(_ node: Node) -> Observable<Int> {
        switch node {
        case .source(.via), .one(.via, _), .two(.via, _, _), .many(.via, _), .each(.via, _, _),
            .each(.traitFlatMap, _, _):
            typed(node)
        case .source(let source): self.source(source)
        case .one(let name, let node): one(name, observable(node))
        case .two(let name, let first, let second): two(name, observable(first), observable(second))
        case .many(let name, let nodes): many(name, nodes.map(observable))
        case .each(let name, let node, let choice): each(name, observable(node), choice)
        }
    }

    private func source(_ source: Source) -> Observable<Int> {
        switch source {
        case .hot(let number): hots[number]
        case .cold(let id, let events): cold(id, events)
        case .subject(let number): subjects[number].source
        case .shared(let number): shared[number]
        case .just(let value): .just(value)
        case .empty: .empty()
        case .error(let number): .error(Failure(number))
        case .never: .never()
        case .optional(let value): .from(optional: value)
        case .of(let values): of(values)
        case .from(let values): .from(values)
        case .range(let start, let count): .range(start: start, count: count)
        case .generate(let start, let limit, let step, let throwsAt):
            .generate(
                initialState: start,
                condition: {
                    if $0 == throwsAt { throw Failure(73) }
                    return $0 < limit
                }, iterate: { $0 + step })
        case .repeatElement(let value): Observable.repeatElement(value).map { [recorder] in try recorder.spend($0) }
        case .create(let id, let events): create(id, events)
        case .timer(let due): .timer(span(due), scheduler: scheduler)
        case .ticks(let due, let period): .timer(span(due), period: span(period), scheduler: scheduler)
        case .interval(let period): .interval(span(period), scheduler: scheduler)
        case .justScheduled(let value): .just(value, scheduler: scheduler)
        case .ofScheduled(let values): ofScheduled(values)
        case .fromScheduled(let values): .from(values, scheduler: scheduler)
        case .rangeScheduled(let start, let count): .range(start: start, count: count, scheduler: scheduler)
        case .generateScheduled(let start, let limit, let step, let throwsAt):
            .generate(
                initialState: start,
                condition: {
                    if $0 == throwsAt { throw Failure(73) }
                    return $0 < limit
                }, scheduler: scheduler, iterate: { $0 + step })
        case .repeatScheduled(let value): .repeatElement(value, scheduler: scheduler)
        case .ungrammatical(let id, let events): ungrammatical(id, events)
        case .via(_, let source): self.source(source)
        }
    }

    private func of(_ values: [Int]) -> Observable<Int> {
        switch values.count {
        case 1: .of(values[0])
        case 2: .of(values[0], values[1])
        case 3: .of(values[0], values[1], values[2])
        default: .from(values)
        }
    }

    private func ofScheduled(_ values: [Int]) -> Observable<Int> {
        switch values.count {
        case 1: .of(values[0], scheduler: scheduler)
        case 2: .of(values[0], values[1], scheduler: scheduler)
        default: .from(values, scheduler: scheduler)
        }
    }

    private func ungrammatical(_ id: Int, _ events: [ProgramEvent]) -> Observable<Int> {
        .source { [recorder] sink in
            recorder.note(.began(id))
            if recorder.isExhausted { return Disposables.create() }
            for event in events {
                switch event {
                case .next(let value): sink.next(value)
                case .error(let number): sink.error(Failure(number))
                case .completed, .outOfBudget: sink.completed()
                }
            }
            return Disposables.create { recorder.note(.disposed(id)) }
        }
    }

    private func cold(_ id: Int, _ events: [TimedEvent]) -> Observable<Int> {
        let events = events.map { Recorded(time: $0.tick, value: $0.event.engineEvent) }
        return Probe(scheduler.createColdObservable(events), recorder, began: .began(id), ended: .disposed(id))
            .asObservable()
    }

    private func create(_ id: Int, _ events: [ProgramEvent]) -> Observable<Int> {
        .create { [recorder] observer in
            recorder.note(.began(id))
            if recorder.isExhausted { return Disposables.create() }
            for event in events { observer.on(event.engineEvent) }
            return Disposables.create { recorder.note(.disposed(id)) }
        }
    }
}
