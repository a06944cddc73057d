// One way through the model of a campaign, done with the program's own calls. A run of a job can be held up where it sends, and before its outcome
// is written; what it does in between is one call, so only ways whose workers are not overtaken there can be replayed.
import { minute } from '../../src/lib/time'
import type { SendResult } from '../../src/mail/message'
import { systemActor } from '../../src/modules/accounts/projects/service'
import { selectCampaignCounts } from '../../src/modules/features/campaigns/results/queries/counts'
import {
  cancelCampaign,
  pauseCampaign,
  resumeCampaign,
} from '../../src/modules/features/campaigns/sending/service/control'
import { expandOrPause } from '../../src/modules/features/campaigns/sending/service/expand'
import { retryFailed } from '../../src/modules/features/campaigns/sending/service/retry'
import { makeSliceSending } from '../../src/modules/features/campaigns/sending/service/slice'
import { failRestOfCampaign } from '../../src/modules/features/campaigns/sending/service/stop'
import { newId } from '../../src/platform/context'
import { writeOutcomes } from '../../src/platform/jobs/completer'
import { type JobOutcome, Snooze } from '../../src/platform/jobs/outcome'
import { claimJobs, type HeldJob, insertRunner, rescueJobs } from '../../src/platform/jobs/queries'
import type { CampaignWorld } from '../support/campaigns'
import {
  type Action,
  type Database,
  type Key,
  type Space,
  type State,
  type WorkerName,
  workers,
} from './campaign'
import { campaignModel } from './campaign-law'
import type { Model } from './explore'

const results: Record<string, SendResult> = {
  taken: { outcome: 'accepted', delivered: false, response: '250 ok' },
  refused: { outcome: 'refused', blame: 'other', response: '550 no' },
  later: { outcome: 'deferred', response: '451 later' },
}

/** Whether the program can be held up here: no run of a job goes on by itself. */
export const isHeld = (state: State): boolean => !workers.some(worker => runsOn(state, worker))

const runsOn = (state: State, worker: WorkerName): boolean =>
  !['idle', 'send', 'done', 'come back'].includes(state.workers[worker].step)

/** The model as far as the program can be led through it. */
export function replayable(space: Space): Model<State, Action> {
  const model = campaignModel(space)
  const isBeyond = ({ name, answer }: Action): boolean =>
    name === 'stop' || name === 'database dies' || answer === 'put back'
  const actions = (state: State): Action[] => {
    const worker = workers.find(each => runsOn(state, each))
    return worker ? [{ name: 'step', worker }] : model.actions(state).filter(action => !isBeyond(action))
  }
  return { ...model, actions }
}

interface Memory {
  job: HeldJob
  release?: (result: SendResult) => void
  ended?: Promise<JobOutcome>
}

export async function startReplay(on: CampaignWorld, space: Space) {
  const { world } = on
  const { ctx } = world
  const actor = { projectId: on.project.id, role: 'OWNER' as const, by: systemActor }
  const now = ctx.clock.now()
  const [past, ahead] = [-minute, minute].map(ms => new Date(now.getTime() + ms)) as [Date, Date]
  const runners: Record<WorkerName, string> = { A: '', B: '' }
  const memory: Partial<Record<WorkerName, Memory>> = {}
  await ctx.sql`delete from runners`
  await on.contacts(space.pages)
  const campaignId = await on.draft()
  const ids = { projectId: on.project.id, campaignId }
  await ctx.sql`delete from jobs`
  await on.send(campaignId)
  await ctx.sql`delete from jobs where kind not like 'campaign.%'`

  const take = async (worker: WorkerName, key: Key): Promise<void> => {
    runners[worker] = newId(ctx)
    await insertRunner(ctx, runners[worker], ahead, past)
    const kind = key === 'expand' || key === 'close' ? `campaign.${key}` : 'campaign.send'
    // Time passes: whatever waits is due, and this job is the first.
    await ctx.sql`update emails set next_attempt_at = null where campaign_id = ${campaignId}`
    await ctx.sql`update jobs set run_at = case when kind = ${kind} then ${past}::timestamptz else ${now}::timestamptz end where state = 'queued'`
    const band = key === 'close' ? 'system' : 'bulk'
    const [job] = await claimJobs(ctx, runners[worker], [{ band, places: 1 }], now)
    memory[worker] = { job: job! }
  }
  /** Ends where it sends, or with the run. */
  const run = async (mine: Memory): Promise<void> => {
    const called = Promise.withResolvers<void>()
    world.mail.script(() => {
      called.resolve()
      return new Promise(resolve => {
        mine.release = resolve
      })
    })
    const { signal } = new AbortController()
    const { kind, args, attempt } = mine.job
    const work =
      kind === 'campaign.expand'
        ? expandOrPause(ctx, ids, { signal, attempt })
        : kind === 'campaign.close'
          ? failRestOfCampaign(ctx, ids, signal)
          : makeSliceSending(ctx).sendSlice((args as { sliceId: string }).sliceId, { signal })
    mine.ended = outcomeOf(work, now)
    await Promise.race([called.promise, mine.ended])
    world.mail.clear()
  }
  const loseLease = async (worker: WorkerName): Promise<void> => {
    await ctx.sql`update runners set lease_until = ${past} where id = ${runners[worker]}`
    await rescueJobs(ctx, now)
  }

  return {
    async step({ name, worker, key, answer }: Action, before: State): Promise<void> {
      const mine = worker && memory[worker]
      if (name === 'claim') await take(worker!, key!)
      if (name === 'answer' || name === 'relay unheard') {
        mine!.release!(results[name === 'answer' ? answer! : 'later']!)
        await mine!.ended
      }
      if (name === 'step' && before.workers[worker!].step === 'look') await run(mine!)
      if (name === 'step' && ['done', 'come back'].includes(before.workers[worker!].step))
        await writeOutcomes(ctx, [{ job: mine!.job, outcome: await mine!.ended! }])
      if (name === 'process dies' || name === 'lease lost') await loseLease(worker!)
      if (name === 'pause') await pauseCampaign(ctx, actor, campaignId)
      if (name === 'resume') await resumeCampaign(ctx, actor, campaignId)
      if (name === 'cancel') await cancelCampaign(ctx, actor, campaignId)
      if (name === 'retry') await retryFailed(ctx, actor, campaignId)
    },
    /** The rows, in the words of the model. */
    async rows(): Promise<Database> {
      const [campaign] = await ctx.sql<[Database['campaign']]>`
        select status, paused_at is not null as "isPaused", is_expanded as "isExpanded", (expanded_to is not null)::int as cursor
          from campaigns where id = ${campaignId}`
      const rows = await ctx.sql<NonNullable<Database['rows'][number]>[]>`
        select status, attempts from emails where campaign_id = ${campaignId}`
      const slices = await ctx.sql<Database['slices']>`
        select 0 as page, done_at is not null as "isDone" from campaign_slices where campaign_id = ${campaignId}`
      const jobs = await ctx.sql<{ kind: string; by: string | null; again: boolean }[]>`
        select kind, locked_by as by, rerun as again from jobs where kind = any('{campaign.expand,campaign.send,campaign.close}')`
      const { sent, failed } = (await selectCampaignCounts(ctx, on.project.id, [campaignId])).get(campaignId)!
      const keys: Record<string, Key> = {
        'campaign.expand': 'expand',
        'campaign.close': 'close',
        'campaign.send': 0,
      }
      const holder = (by: string | null) => (by === null ? null : by === runners.A ? 'A' : 'B')
      return {
        campaign,
        rows: rows.length > 0 ? [...rows] : [null],
        slices: [...slices],
        jobs: new Map(jobs.map(({ kind, by, again }) => [keys[kind]!, { by: holder(by), again }])),
        counted: { sent: Number(sent), failed: Number(failed) },
      }
    },
  }
}

async function outcomeOf(work: Promise<void>, now: Date): Promise<JobOutcome> {
  try {
    await work
    return { type: 'completed' }
  } catch (thrown) {
    if (thrown instanceof Snooze) return { type: 'snoozed', at: now }
    throw thrown
  }
}
