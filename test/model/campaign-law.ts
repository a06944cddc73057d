// What must hold of a campaign in every state of its model.
import {
  type Action,
  actions,
  begin,
  type Database,
  type Flaws,
  isExpected,
  isFault,
  isOpen,
  type Space,
  type State,
  type Worker,
} from './campaign'
import { after } from './campaign-steps'
import type { Model } from './explore'

export const campaignModel = (space: Space, flaws: Flaws = {}): Model<State, Action> => ({
  begin: begin(space),
  actions,
  after: (state, action) => after(state, action, flaws),
  isExpected,
  isFault,
  keyOf,
  wrong: state => wrong(state, space.faults),
  hasEnded,
  neverEnds: 'a campaign never ends',
  tell: ({ name, worker, key, answer }) =>
    [name, worker, key, answer].filter(part => part !== undefined).join(' '),
})

function wrong({ db, copies, faults, wrong }: State, allowed: number): string | undefined {
  const { campaign, rows, counted } = db
  if (wrong) return wrong
  const having = (status: string): number => rows.filter(row => row?.status === status).length
  if (counted.sent !== having('SENT') || counted.failed !== having('FAILED'))
    return 'what is counted is not what is there'
  if (campaign.status === 'SENT' && rows.some(row => !row || isOpen(row)))
    return 'a campaign is SENT before everybody has ended'
  if (rows.some((row, contact) => row?.status === 'SENT' && copies[contact] === 0))
    return 'a recipient is called sent who has nothing'
  // The fault itself, and the look of a worker that finds its recipient in other hands.
  if (copies.some(count => count > 1 + 2 * (allowed - faults)))
    return 'more copies have left than faults explain'
  return undefined
}

function hasEnded({ db: { campaign, rows, slices, jobs } }: State): boolean {
  return (
    campaign.status !== 'SENDING' &&
    jobs.size === 0 &&
    slices.every(slice => slice.isDone) &&
    !rows.some(isOpen)
  )
}

/** Equal for states that differ only in the names of workers, or in what nobody will look at again. */
function keyOf({ db, disk, workers: { A, B }, copies, persons, faults, wrong }: State): string {
  const worker = (name: 'A' | 'B', { job, step, next, attempt, answer }: Worker): string => {
    const held = [db, disk].map(each => job !== null && each?.jobs.get(job)?.by === name)
    return `${job}${step}${next}${attempt}${answer}${held}`
  }
  const mayRetry = persons.includes('retry')
  const of = ({ campaign, rows, slices, jobs, counted }: Database): string => {
    let key = `${campaign.status}${campaign.isPaused}${campaign.cursor}${campaign.isExpanded}${counted.sent},${counted.failed}`
    for (const row of rows) key += row ? `|${row.status}${isOpen(row) || mayRetry ? row.attempts : ''}` : '|'
    for (const { page, isDone } of slices) key += `|${page}${isDone}`
    for (const name of names) {
      const job = jobs.get(name)
      if (job) key += `|${name}${job.by !== null}${job.again}`
    }
    return key
  }
  const [a, b] = [worker('A', A), worker('B', B)]
  const pair = a < b ? a + b : b + a
  return `${pair}|${of(db)}|${disk ? of(disk) : ''}|${copies}${mayRetry}${faults}${wrong}`
}

const names = ['expand', 'close', 0, 1, 2, 3, 4] as const
