// Receivers that refuse the mail of a campaign.
import type { Context } from '../../../../../platform/context'
import type { ReceiverState } from '../schema'

export interface ReceiverName {
  projectId: string
  campaignId: string
  receiver: string
}

export interface CampaignReceiver {
  receiver: string
  state: ReceiverState
  words: string
  since: Date
  probeAt: Date | null
  probes: number
  held: number
}

const maxReceivers = 500

/** Those of a campaign that refused something of late, or for which something waits; those that get nothing first. */
export async function selectReceivers(
  ctx: Context,
  projectId: string,
  campaignId: string,
): Promise<CampaignReceiver[]> {
  return await ctx.sql<CampaignReceiver[]>`
    select receiver, state, words, since, probe_at as "probeAt", probes, held from campaign_receivers
     where project_id = ${projectId}::uuid and campaign_id = ${campaignId}::uuid
     order by state = 'watched', receiver limit ${maxReceivers}`
}

/** From now on their answers are kept; those that are known stay as they are. */
export async function watchReceivers(
  ctx: Context,
  refused: ReadonlyArray<ReceiverName & { words: string }>,
): Promise<void> {
  await ctx.sql`
    insert into campaign_receivers (project_id, campaign_id, receiver, words, since)
    select n."projectId", n."campaignId", n.receiver, n.words, ${ctx.clock.now()}::timestamptz
      from json_to_recordset(${JSON.stringify(refused)}::json) as n(
           "projectId" uuid, "campaignId" uuid, receiver text, words text)
     order by 1, 2, 3
    on conflict do nothing`
}

export interface LockedReceiver extends ReceiverName, Pick<CampaignReceiver, 'state' | 'words'> {
  answers: string
  held: number
  campaignName: string
  isSending: boolean
}

/** Locks those of them that are known until the transaction ends, in one order. */
export async function lockReceivers(ctx: Context, names: readonly ReceiverName[]): Promise<LockedReceiver[]> {
  return await ctx.sql<LockedReceiver[]>`
    select r.project_id as "projectId", r.campaign_id as "campaignId", r.receiver, r.state, r.words, r.answers, r.held,
           c.name as "campaignName", c.status = 'SENDING' as "isSending"
      from json_to_recordset(${JSON.stringify(names)}::json) as n("projectId" uuid, "campaignId" uuid, receiver text)
      join campaign_receivers r
        on r.project_id = n."projectId" and r.campaign_id = n."campaignId" and r.receiver = n.receiver
      join campaigns c on c.project_id = r.project_id and c.id = r.campaign_id
     order by r.project_id, r.campaign_id, r.receiver
       for update of r`
}

export interface ReceiverChange extends ReceiverName {
  state: ReceiverState
  answers: string
  words: string
  held: number
  /** Set where it is paused by this change. */
  pausedUntil: Date | null
}

/** Writes what was learned about locked ones. */
export async function updateReceivers(ctx: Context, changes: readonly ReceiverChange[]): Promise<void> {
  await ctx.sql`
    update campaign_receivers r
       set state = n.state, answers = n.answers, words = n.words, held = n.held,
           since = case when n."pausedUntil" is null then r.since else ${ctx.clock.now()}::timestamptz end,
           probes = case when n."pausedUntil" is null then r.probes else 0 end,
           probe_at = case when n.state = 'paused' then coalesce(n."pausedUntil", r.probe_at) end
      from json_to_recordset(${JSON.stringify(changes)}::json) as n(
           "projectId" uuid, "campaignId" uuid, receiver text, state text, answers text, words text, held int, "pausedUntil" timestamptz)
     where r.project_id = n."projectId" and r.campaign_id = n."campaignId" and r.receiver = n.receiver`
}

/** Nothing is known against them any more. */
export async function deleteReceivers(ctx: Context, names: readonly ReceiverName[]): Promise<void> {
  await ctx.sql`
    delete from campaign_receivers r
     using json_to_recordset(${JSON.stringify(names)}::json) as n("projectId" uuid, "campaignId" uuid, receiver text)
     where r.project_id = n."projectId" and r.campaign_id = n."campaignId" and r.receiver = n.receiver`
}

/** True for the one caller whose message tries whether the receiver takes mail again; the next one is tried at `nextAt`. */
export async function claimReceiverProbe(
  ctx: Context,
  { projectId, campaignId, receiver }: ReceiverName,
  nextAt: Date,
): Promise<boolean> {
  const { count } = await ctx.sql`
    update campaign_receivers set probe_at = ${nextAt}::timestamptz, probes = probes + 1
     where project_id = ${projectId}::uuid and campaign_id = ${campaignId}::uuid and receiver = ${receiver}
       and state = 'paused' and probe_at <= ${ctx.clock.now()}::timestamptz`
  return count > 0
}

/** A person goes on with a receiver that is paused or left out; false if it is neither. What waits is counted until it has left. */
export async function resetReceiver(
  ctx: Context,
  { projectId, campaignId, receiver }: ReceiverName,
): Promise<boolean> {
  const { count } = await ctx.sql`
    update campaign_receivers set state = 'watched', answers = '', probe_at = null
     where project_id = ${projectId}::uuid and campaign_id = ${campaignId}::uuid and receiver = ${receiver}
       and state <> 'watched'`
  return count > 0
}

/** A person leaves out the rest of a receiver that is paused; false if it is not. */
export async function skipReceiver(
  ctx: Context,
  { projectId, campaignId, receiver }: ReceiverName,
): Promise<boolean> {
  const { count } = await ctx.sql`
    update campaign_receivers set state = 'leftOut', probe_at = null
     where project_id = ${projectId}::uuid and campaign_id = ${campaignId}::uuid and receiver = ${receiver}
       and state = 'paused'`
  return count > 0
}

/** Whoever is sent to again is left out no longer. */
export async function takeBackLeftOut(ctx: Context, projectId: string, campaignId: string): Promise<void> {
  await ctx.sql`
    update campaign_receivers set state = 'watched', answers = ''
     where project_id = ${projectId}::uuid and campaign_id = ${campaignId}::uuid and state = 'leftOut'`
}
