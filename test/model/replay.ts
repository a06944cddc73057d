// One way through the model, done with the program's own statements: deliveries by `deliver`, whose transport answers when the way says so.
import { minute } from '../../src/lib/time'
import type { SendResult } from '../../src/mail/message'
import { makeDelivery } from '../../src/modules/sending/delivery/service'
import { newId } from '../../src/platform/context'
import { writeOutcomes } from '../../src/platform/jobs/completer'
import { type JobOutcome, Snooze } from '../../src/platform/jobs/outcome'
import {
  claimJobs,
  type HeldJob,
  insertRunner,
  releaseHeld,
  rescueJobs,
} from '../../src/platform/jobs/queries'
import type { World } from '../support/world'
import { type Action, type Answer, runs, type State, type WorkerName } from './delivery'

const results: Record<Answer, SendResult> = {
  taken: { outcome: 'accepted', delivered: false, response: '250 ok' },
  refused: { outcome: 'refused', blame: 'other', response: '550 no' },
  later: { outcome: 'deferred', response: '451 later' },
}

/** What a worker has in memory. */
interface Memory {
  job?: HeldJob
  answer?: SendResult
  /** Ends the call of the transport. */
  release?: (result: SendResult) => void
  ended?: Promise<JobOutcome>
}

type Step = (action: Action, lease: number) => unknown

export interface Replay {
  /** Does an action as `before` allows it. */
  step(action: Action, before: State): Promise<void>
  /** The rows, in the words of the model. */
  rows(): Promise<Pick<State, 'message' | 'job' | 'leases'>>
}

export async function startReplay(world: World): Promise<Replay> {
  const { ctx } = world
  const now = ctx.clock.now()
  const [past, ahead] = [-minute, minute].map(ms => new Date(now.getTime() + ms)) as [Date, Date]
  const runners: string[] = ['']
  const memory: Record<WorkerName, Memory> = { A: {}, B: {} }
  const delivery = makeDelivery(ctx)
  let emailId = ''

  const openLease = async (): Promise<void> => {
    const id = newId(ctx)
    runners.push(id)
    await insertRunner(ctx, id, ahead, past)
  }
  const endLease = (lease: number) =>
    ctx.sql`update runners set lease_until = ${past} where id = ${runners[lease]!}`
  const claim = async (lease: number): Promise<HeldJob> => {
    const [job] = await claimJobs(ctx, runners[lease]!, [{ band: 'transactional', places: 1 }], now)
    return job!
  }
  /** Ends with the call of the transport, or with the delivery if it makes none. */
  const take = async (mine: Memory): Promise<void> => {
    const { attempt, maxAttempts } = mine.job!
    const called = Promise.withResolvers<void>()
    world.mail.script(() => {
      called.resolve()
      return new Promise(resolve => {
        mine.release = resolve
      })
    })
    const ids = { emailId, projectId: world.project.id }
    const run = { isLastAttempt: attempt >= maxAttempts, signal: new AbortController().signal }
    mine.ended = outcomeOf(delivery.deliver(ids, run), now)
    await Promise.race([called.promise, mine.ended])
    world.mail.clear()
  }

  const steps: Record<Action['name'], Step> = {
    async accept() {
      await ctx.sql`delete from jobs`
      emailId = await world.sendOne()
      await ctx.sql`delete from jobs where kind <> 'email.deliver'`
      await ctx.sql`update jobs set max_attempts = ${runs.max}`
    },
    async claim({ worker }, lease) {
      memory[worker!] = { job: await claim(lease) }
    },
    'claim unheard': (_, lease) => claim(lease),
    'put back': (_, lease) => releaseHeld(ctx, runners[lease]!),
    take: ({ worker }) => take(memory[worker!]),
    'hand over'({ worker, answer }) {
      memory[worker!].answer = results[answer!]
    },
    'relay unheard'({ worker }) {
      memory[worker!].answer = results.later
    },
    async settle({ worker }) {
      const { release, answer, ended } = memory[worker!]
      release!(answer!)
      await ended
    },
    async finish({ worker }) {
      const { job, ended } = memory[worker!]
      await writeOutcomes(ctx, [{ job: job!, outcome: await ended! }])
      memory[worker!] = {}
    },
    expire: ({ lease }) => endLease(lease!),
    'process stalls': (_, lease) => endLease(lease),
    rescue: () => rescueJobs(ctx, now),
    renew: openLease,
    async 'process dies'({ worker }) {
      memory[worker!] = {}
      await openLease()
    },
    'database dies': () =>
      ctx.sql`update jobs set state = 'queued', attempt = attempt - 1, locked_by = null where state = 'running'`,
  }

  await ctx.sql`delete from runners`
  await openLease()
  await openLease()
  return {
    async step(action, before) {
      await steps[action.name](action, action.worker ? before.workers[action.worker].lease : 0)
    },
    async rows() {
      const [message] = await ctx.sql<NonNullable<State['message']>[]>`
        select status, attempts from emails where id::text = ${emailId}`
      const [job] = await ctx.sql<
        { state: 'queued' | 'running' | 'failed'; attempt: number; by: string | null }[]
      >`
        select state, attempt, locked_by as by from jobs where kind = 'email.deliver'`
      const held = await ctx.sql<{ id: string; isValid: boolean }[]>`
        select id, lease_until > ${now} as "isValid" from runners`
      return {
        message: message ?? null,
        job: job ? { state: job.state, attempt: job.attempt, lease: runners.indexOf(job.by ?? '') } : null,
        leases: Object.fromEntries(
          held.map(row => [runners.indexOf(row.id), row.isValid ? 'valid' : 'over']),
        ),
      }
    },
  }
}

/** A job that snoozes may be claimed again at once. */
async function outcomeOf(delivered: Promise<void>, now: Date): Promise<JobOutcome> {
  try {
    await delivered
    return { type: 'completed' }
  } catch (thrown) {
    if (thrown instanceof Snooze) return { type: 'snoozed', at: now }
    throw thrown
  }
}
