// Who is connected to a server of SMTP, and how long each may go on without a message. Places are few and cost a stranger nothing, so no
// network holds more than its part, and words that lead nowhere (NOOP, RSET, MAIL) win no time. Pure: told what happens, and when.
import { clientSubnet } from '../../lib/client-network'
import { second } from '../../lib/time'

export interface VisitLimits {
  /** Of all together; one network of strangers, or one project, has half of them at most. */
  connections: number
  /** Connections of one network that have said nothing of use for a while. */
  silent: number
  /** From the greeting until it has signed in, or begun a message where nobody signs in. */
  introductionMs: number
  /** From signing in until it begins a message. */
  mailMs: number
  /** From one message until it begins the next. */
  idleMs: number
  /** From the last of these moments until the message itself arrives. */
  envelopeMs: number
}

export interface Visit {
  readonly network: string
  /** Whom the place counts for. */
  owner: string
  hasSignedIn: boolean
  messages: number
  /** A message is arriving, or is being worked on. */
  isBusy: boolean
  since: number
  hasEnvelope(): boolean
  /** Whether its connection is closed, whatever was heard of that. */
  isGone(): boolean
  end(reason: string): void
}

/** Signing in takes no longer than this, also where many connect at once. */
const settlingMs = 5 * second

export class Visits {
  readonly #limits: VisitLimits
  readonly #now: () => Date
  readonly #visits = new Set<Visit>()
  readonly #places = new Map<string, number>()

  constructor(limits: VisitLimits, now: () => Date) {
    this.#limits = limits
    this.#now = now
  }

  /** Undefined where the network has its part of the places. */
  arrive(address: string, connection: Pick<Visit, 'isGone' | 'end'>): Visit | undefined {
    const network = clientSubnet(address)
    if (!this.#hasPlace(network)) return undefined
    const visit: Visit = {
      ...{ network, owner: network, hasSignedIn: false, messages: 0, isBusy: false },
      since: this.#now().getTime(),
      hasEnvelope: () => false,
      ...connection,
    }
    this.#visits.add(visit)
    this.#count(network, 1)
    return visit
  }

  leave(visit: Visit): void {
    if (this.#visits.delete(visit)) this.#count(visit.owner, -1)
  }

  /** False where the project has its part of the places. */
  signIn(visit: Visit, projectId: string): boolean {
    if (!this.#hasPlace(projectId)) return false
    this.#count(visit.owner, -1)
    this.#count(projectId, 1)
    Object.assign(visit, { owner: projectId, hasSignedIn: true, since: this.#now().getTime() })
    return true
  }

  beginMessage(visit: Visit): void {
    visit.isBusy = true
  }

  endMessage(visit: Visit): void {
    Object.assign(visit, { isBusy: false, messages: visit.messages + 1, since: this.#now().getTime() })
  }

  /** Ends those whose time is over, and of each network the oldest of too many that say nothing. */
  endStale(): void {
    const now = this.#now().getTime()
    const silent = new Map<string, Visit[]>()
    for (const visit of [...this.#visits]) {
      const age = now - visit.since
      if (visit.isGone()) this.leave(visit)
      else if (!visit.isBusy && age >= this.#limitOf(visit)) this.#end(visit, 'You took too long')
      else if (isSilent(visit) && age >= settlingMs)
        silent.set(visit.network, [...(silent.get(visit.network) ?? []), visit])
    }
    for (const visits of silent.values())
      for (const visit of visits.slice(0, Math.max(0, visits.length - this.#limits.silent)))
        this.#end(visit, 'Too many connections of your network say nothing')
  }

  #end(visit: Visit, reason: string): void {
    this.leave(visit)
    visit.end(reason)
  }

  #limitOf(visit: Visit): number {
    const { envelopeMs, idleMs, mailMs, introductionMs } = this.#limits
    if (visit.hasEnvelope()) return envelopeMs
    if (visit.messages > 0) return idleMs
    return visit.hasSignedIn ? mailMs : introductionMs
  }

  #hasPlace(owner: string): boolean {
    return (this.#places.get(owner) ?? 0) < this.#limits.connections / 2
  }

  #count(owner: string, change: number): void {
    const count = (this.#places.get(owner) ?? 0) + change
    if (count === 0) this.#places.delete(owner)
    else this.#places.set(owner, count)
  }
}

function isSilent({ hasSignedIn, messages, isBusy }: Visit): boolean {
  return !hasSignedIn && messages === 0 && !isBusy
}
