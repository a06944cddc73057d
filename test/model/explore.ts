// Visits every state that a model can reach, and says what is wrong with the first bad one, and how one gets there.

export interface Model<S, A> {
  begin: S
  /** What may happen next. */
  actions(state: S): A[]
  after(state: S, action: A): S
  isFault(action: A): boolean
  /** It may be relied upon to happen. */
  isExpected(action: A): boolean
  /** Equal for states that differ in nothing that matters. */
  keyOf(state: S): string
  /** What must hold in every state; undefined if it does. */
  wrong(state: S): string | undefined
  hasEnded(state: S): boolean
  /** What is said of a state from which nothing expected leads to an end. */
  neverEnds: string
  tell(action: A): string
}

/** How a state was reached first, in the fewest steps. */
export interface Visit<A> {
  from?: Visit<A>
  by?: A
  /** States that are expected to follow; known once all have been visited. */
  next: Visit<A>[]
}

export interface Visited<S, A> {
  state: S
  visit: Visit<A>
}

/** Each state once, those that take fewer steps first. States take ten times the memory of visits: none is kept once what follows is known. */
export function* explore<S, A>(model: Model<S, A>): Generator<Visited<S, A>> {
  const first: Visited<S, A> = { state: model.begin, visit: { next: [] } }
  const seen = new Map([[model.keyOf(first.state), first.visit]])
  let reached = [first]
  while (reached.length > 0) {
    const further: Visited<S, A>[] = []
    for (const each of reached) {
      yield each
      for (const by of model.actions(each.state)) {
        const state = model.after(each.state, by)
        const key = model.keyOf(state)
        let visit = seen.get(key)
        if (!visit) {
          visit = { from: each.visit, by, next: [] }
          seen.set(key, visit)
          further.push({ state, visit })
        }
        if (model.isExpected(by)) each.visit.next.push(visit)
      }
    }
    reached = further
  }
}

/** The actions from the beginning to this state. */
export function path<A>(visit: Visit<A>): A[] {
  return visit.from && visit.by ? [...path(visit.from), visit.by] : []
}

/** What is wrong with a model, and the fewest steps that lead there; undefined if nothing is. */
export function verdict<S, A>(model: Model<S, A>): { wrong: string; path: string[] } | undefined {
  const told = (visit: Visit<A>): string[] => path(visit).map(model.tell)
  const all: Visit<A>[] = []
  const ends = new Set<Visit<A>>()
  for (const { state, visit } of explore(model)) {
    const wrong = model.wrong(state)
    if (wrong) return { wrong, path: told(visit) }
    all.push(visit)
    if (model.hasEnded(state)) ends.add(visit)
  }
  const [stuck] = neverEnding(all, ends)
  return stuck && { wrong: model.neverEnds, path: told(stuck) }
}

/** States from which there is no end, even if nothing fails any more. */
function neverEnding<A>(all: readonly Visit<A>[], ends: Set<Visit<A>>): Visit<A>[] {
  const before = new Map<Visit<A>, Visit<A>[]>()
  for (const visit of all)
    for (const next of visit.next) {
      const known = before.get(next)
      if (known) known.push(visit)
      else before.set(next, [visit])
    }
  // A set goes on to what is added to it meanwhile.
  for (const end of ends) for (const visit of before.get(end) ?? []) ends.add(visit)
  return all.filter(visit => !ends.has(visit))
}
