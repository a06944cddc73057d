// The world of one who writes a draft: a tab that may end at any moment, what its browser keeps, a colleague, and a connection that loses requests
// and answers, or delivers them late.
import { ApiError } from '../../src/dashboard/api/error'
import { type Drafting, makeDraft } from '../../src/dashboard/editor/draft'
import type {
  DraftClock,
  DraftKind,
  Keeping,
  KeptDraft,
  StoreRequest,
} from '../../src/dashboard/editor/draft-state'

interface Words {
  subject: string[]
  body: string[]
}
interface Row extends Words {
  version: number
}
type Field = keyof Words

interface Request {
  isServed: boolean
  /** On the server: what it answers, or the error. */
  serve: () => unknown
  settle: { resolve: (value: unknown) => void; reject: (error: unknown) => void }
  answer?: { value: unknown } | { error: unknown }
}

export interface Tab {
  draft: Drafting<Words, Row>
  /** Whether the server has told this tab that the draft reaches people. */
  knowsLive: boolean
  isClosed: boolean
}

const networkError = (): ApiError => new ApiError(0, 'NETWORK', 'gone')

export class Walk {
  row: Row = { version: 1, subject: [], body: [] }
  isLive = false
  isOffline = false
  #now = 0
  #timers: { at: number; then: () => void }[] = []
  readonly #clock: DraftClock = {
    now: () => this.#now,
    after: (ms, then) => {
      const timer = { at: this.#now + ms, then }
      this.#timers.push(timer)
      return () => {
        this.#timers = this.#timers.filter(each => each !== timer)
      }
    },
  }
  tab: Tab | undefined
  requests: Request[] = []
  /** Cut off on their way: they may still reach the server. */
  strays: Request[] = []
  kept: string | undefined
  /** Typed or stored by somebody, and not taken back. */
  words = new Set<string>()
  /** What a page did that it may not do. */
  fault: string | undefined
  #count = 0
  /** Nobody else writes. */
  readonly isAlone: boolean

  constructor({ isAlone }: { isAlone: boolean }) {
    this.isAlone = isAlone
  }

  #keeping(tab: Tab): Keeping<Words> {
    let written: string | undefined
    return {
      read: () => (this.kept === undefined ? undefined : (JSON.parse(this.kept) as KeptDraft<Words>)),
      write: kept => {
        if (tab.isClosed) return
        this.kept = written = JSON.stringify(kept)
      },
      clear: () => {
        if (!tab.isClosed && (written === undefined || this.kept === written)) this.kept = undefined
      },
    }
  }

  #request<A>(tab: Tab, serve: () => A): Promise<A> {
    // Its timers go on in the test.
    if (tab.isClosed) return new Promise<A>(() => undefined)
    if (this.isOffline) return Promise.reject(networkError())
    const { promise, ...settle } = Promise.withResolvers<unknown>()
    this.requests.push({ isServed: false, serve, settle })
    return promise as Promise<A>
  }

  #store(value: Words, how: StoreRequest): { stored: Row } {
    if (how.version !== this.row.version) throw new ApiError(409, 'CONFLICT', 'changed meanwhile')
    this.row = { ...structuredClone(value), version: this.row.version + 1 }
    return { stored: structuredClone(this.row) }
  }

  open(): void {
    const tab = { knowsLive: this.isLive, isClosed: false } as Tab
    const kind: DraftKind<Words, Row> = {
      read: ({ subject, body }) => ({ subject, body }),
      saved: value => value,
      store: (value, how) => {
        if (!how.isPressed && tab.knowsLive)
          this.fault ??= 'stored without a press although it reaches people'
        const sent = structuredClone(value)
        return this.#request(tab, () => this.#store(sent, how))
      },
      load: () => this.#request(tab, () => structuredClone(this.row)),
      remember: () => undefined,
      isLive: async () => {
        const isLive = await this.#request(tab, () => this.isLive)
        tab.knowsLive ||= isLive
        return isLive
      },
    }
    tab.draft = makeDraft(() => kind, structuredClone(this.row), {
      keeping: this.#keeping(tab),
      live: this.isLive,
      clock: this.#clock,
    })
    this.tab = tab
  }

  pass(ms: number): void {
    this.#now += ms
    const due = this.#timers.filter(({ at }) => at <= this.#now)
    this.#timers = this.#timers.filter(({ at }) => at > this.#now)
    for (const { then } of due.toSorted((a, b) => a.at - b.at)) then()
  }

  type(tab: Tab, field: Field): void {
    const word = `w${++this.#count}`
    tab.draft.change(old => ({ ...old, [field]: [...old[field], word] }))
    this.words.add(word)
  }

  toggle(what: 'isOffline' | 'isLive'): void {
    this[what] = !this[what]
  }

  learn(tab: Tab): void {
    tab.knowsLive = this.isLive
    tab.draft.setLive(this.isLive)
  }

  /** A colleague, who adds to what is stored. */
  colleague(field: Field): void {
    const word = `c${++this.#count}`
    this.row = { ...this.row, [field]: [...this.row[field], word], version: this.row.version + 1 }
    this.words.add(word)
  }

  /** What a person decides takes back whatever that removes from sight. */
  decide(tab: Tab, act: (draft: Tab['draft']) => unknown): void {
    const before = this.#inSight(tab)
    const { theirs } = tab.draft.state()
    for (const word of theirs ? wordsOf(theirs) : []) before.add(word)
    act(tab.draft)
    const after = this.#inSight(tab)
    for (const word of before) if (!after.has(word)) this.words.delete(word)
  }

  #inSight({ draft }: Tab): Set<string> {
    const { value, offer } = draft.state()
    return new Set([...wordsOf(value), ...keptWords(offer)])
  }

  /** The tab is gone, with or without a last moment. */
  close(tab: Tab, { hasLastMoment }: { hasLastMoment: boolean }): void {
    if (hasLastMoment) tab.draft.leave(true)
    tab.isClosed = true
    this.tab = undefined
    for (const request of this.requests) if (!request.isServed) this.strays.push(request)
    this.requests = []
    // What arrives after its page is gone is like another person's.
    if (this.isAlone) this.strays = []
  }

  #stored(): string[] {
    const kept = this.kept === undefined ? undefined : (JSON.parse(this.kept) as KeptDraft<Words>)
    return [...wordsOf(this.row), ...keptWords(kept)]
  }

  serve(request: Request): void {
    if (request.isServed) return
    request.isServed = true
    try {
      request.answer = { value: request.serve() }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      request.answer = { error }
    }
  }

  answer(request: Request): void {
    this.serve(request)
    this.requests = this.requests.filter(each => each !== request)
    const { answer, settle } = request
    if (answer && 'error' in answer) settle.reject(answer.error)
    else settle.resolve(answer?.value)
  }

  /** The page learns that the request failed, and not whether it was served. */
  cut(request: Request): void {
    this.requests = this.requests.filter(each => each !== request)
    if (!request.isServed) this.strays.push(request)
    request.settle.reject(networkError())
  }

  /** Words that nobody can find any more. */
  lost(): string[] {
    const found = new Set(this.#stored())
    const theirs = this.tab?.draft.state().theirs
    for (const word of [...(this.tab ? this.#inSight(this.tab) : []), ...(theirs ? wordsOf(theirs) : [])])
      found.add(word)
    return [...this.words].filter(word => !found.has(word))
  }
}

const wordsOf = ({ subject, body }: Words): string[] => [...subject, ...body]

function keptWords(kept: KeptDraft<Words> | undefined): string[] {
  return kept ? [...wordsOf(kept.value), ...keptWords(kept.offer)] : []
}
