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

export interface Visit<S, A> {
  state: S
  /** How the state was reached first, in the fewest steps. */
  from?: Visit<S, A>
  by?: A
  /** States that are expected to follow. */
  next: Visit<S, A>[]
}

/** Ends early at a state in which something is wrong. */
export function explore<S, A>(model: Model<S, A>): Visit<S, A>[] {
  const first: Visit<S, A> = { state: model.begin, next: [] }
  const seen = new Map([[model.keyOf(first.state), first]])
  const all = [first]
  for (const visit of all) {
    if (model.wrong(visit.state)) return all
    for (const by of model.actions(visit.state)) {
      const state = model.after(visit.state, by)
      const key = model.keyOf(state)
      let found = seen.get(key)
      if (!found) {
        found = { state, from: visit, by, next: [] }
        seen.set(key, found)
        all.push(found)
      }
      if (model.isExpected(by)) visit.next.push(found)
    }
  }
  return all
}

/** The actions from the beginning to this state. */
export function path<S, A>(visit: Visit<S, A>): A[] {
  return visit.from && visit.by ? [...path(visit.from), visit.by] : []
}

/** What is wrong with a model, and the fewest steps that lead there; undefined if nothing is. */
export function verdict<S, A>(model: Model<S, A>): { wrong: string; path: string[] } | undefined {
  const all = explore(model)
  const bad = all.find(({ state }) => model.wrong(state)) ?? stuck(model, all)[0]
  if (!bad) return undefined
  return { wrong: model.wrong(bad.state) ?? model.neverEnds, path: path(bad).map(model.tell) }
}

/** States from which there is no end, even if nothing fails any more. */
export function stuck<S, A>(model: Model<S, A>, all: readonly Visit<S, A>[]): Visit<S, A>[] {
  const before = new Map<Visit<S, A>, Visit<S, A>[]>()
  for (const visit of all)
    for (const next of visit.next) {
      const known = before.get(next)
      if (known) known.push(visit)
      else before.set(next, [visit])
    }
  const ends = new Set(all.filter(({ state }) => model.hasEnded(state)))
  for (const end of ends) for (const visit of before.get(end) ?? []) ends.add(visit)
  return all.filter(visit => !ends.has(visit))
}
