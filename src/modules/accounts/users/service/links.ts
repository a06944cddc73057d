// One-time links of accounts: making them, and limiting the mails that may be requested.
import { inBatches } from '../../../../lib/batches'
import { after } from '../../../../lib/time'
import type { Context } from '../../../../platform/context'
import { callHook } from '../../../../platform/hooks'
import { addressAwaited, addressProved, invitationOffer, invitationTaken } from '../hooks'
import { attemptSubject, mailLimit, mailWindowMs, retryAfterSeconds } from '../limits'
import type { InvitationOffer } from '../page'
import {
  type AttemptKind,
  deleteClosedWindows,
  deleteExpiredTokens,
  insertToken,
  selectWindowEnd,
  takeAttempt,
} from '../queries'
import type { AccountTokenKind } from '../schema'
import { hashToken, type LinkPage, makeToken, tokenLifeMs, tokenLink } from '../tokens'

const pages: Record<AccountTokenKind, LinkPage> = { verify: 'verify-email', reset: 'reset-password' }

/** Makes a new link for the user; only its hash is stored. `mailed`: it goes to the address of the account and nowhere else. */
export async function issueLink(
  tx: Context,
  link: { kind: AccountTokenKind; userId: string; mailed: boolean },
): Promise<string> {
  const token = makeToken(tx.random)
  const expiresAt = after(tx.clock.now(), tokenLifeMs)
  await insertToken(tx, { ...link, tokenHash: hashToken(token), expiresAt })
  return tokenLink(tx.config.baseUrl, pages[link.kind], token)
}

/** Counts one of the mails that may be requested; returns the seconds to wait where there were too many. */
export async function spendMail(
  ctx: Context,
  kind: Exclude<AttemptKind, 'address' | 'client'>,
  whose: string,
  limits: AttemptLimits = { limit: mailLimit, windowMs: mailWindowMs },
): Promise<number | undefined> {
  return await spendTurn(ctx, kind, whose, limits)
}

interface AttemptLimits {
  limit: number
  windowMs: number
}

/** The same for whatever a stranger may do so often only. */
export async function spendTurn(
  ctx: Context,
  kind: AttemptKind,
  whose: string,
  limits: AttemptLimits,
): Promise<number | undefined> {
  await deleteClosedWindows(ctx)
  const now = ctx.clock.now()
  const subject = attemptSubject(kind, whose)
  const closesAt = after(now, limits.windowMs)
  if (await takeAttempt(ctx, { kind, subject, limit: limits.limit, closesAt })) return undefined
  return retryAfterSeconds((await selectWindowEnd(ctx, kind, subject)) ?? now, now)
}

const batchSize = 1_000

/** Deletes expired links; returns how many. */
export async function pruneAccountTokens(ctx: Context, signal?: AbortSignal): Promise<number> {
  return await inBatches(batchSize, limit => deleteExpiredTokens(ctx, limit), signal)
}

/** Whether something that belongs to others waits for the proof of the address. */
export async function isAwaited(ctx: Context, email: string): Promise<boolean> {
  return (await callHook(ctx, addressAwaited, email)).includes(true)
}

/** Hands the owner of a proved address what waits for it. */
export async function tellProved(ctx: Context, { id, email }: { id: string; email: string }): Promise<void> {
  await callHook(ctx, addressProved, { id, email })
}

/** What the link of an invitation offers; undefined if it is not valid. */
export async function findOffer(ctx: Context, token: string): Promise<InvitationOffer | undefined> {
  return (await callHook(ctx, invitationOffer, token)).find(offer => offer !== undefined)
}

/** Hands a new account what its invitation offers, where that did not prove the address. */
export async function takeOffer(
  tx: Context,
  token: string,
  { id, email }: { id: string; email: string },
): Promise<void> {
  await callHook(tx, invitationTaken, { token, user: { id, email } })
}
