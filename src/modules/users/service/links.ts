// One-time links of accounts: making them, and counting the mails that may be asked for.
import { after, day } from '../../../lib/time'
import type { Context } from '../../../platform/context'
import { sendSystemMail } from '../../letters/service'
import type { Inviting } from '../../projects/service'
import { attemptSubject, mailLimit, mailWindowMs, retryAfterSeconds } from '../limits'
import {
  type AttemptKind,
  deleteClosedWindows,
  deleteExpiredTokens,
  insertToken,
  selectWindowEnd,
  takeAttempt,
} from '../queries'
import type { TokenKind } from '../schema'
import { hashToken, type LinkPage, makeToken, tokenLifeMs, tokenLink } from '../tokens'

const pages: Record<TokenKind, LinkPage> = { verify: 'verify-email', reset: 'reset-password' }

/** A fresh link for the user; only its hash stays. `mailed`: it goes to the address of the account and nowhere else. */
export async function issueLink(
  tx: Context,
  link: { kind: TokenKind; userId: string; mailed: boolean },
): Promise<string> {
  const token = makeToken(tx.random)
  const expiresAt = after(tx.clock.now(), tokenLifeMs)
  await insertToken(tx, { ...link, tokenHash: hashToken(token), expiresAt })
  return tokenLink(tx.config.baseUrl, pages[link.kind], token)
}

/** Counts one of the mails that may be asked for; answers the seconds to wait where there were too many. */
export async function spendMail(
  ctx: Context,
  kind: Exclude<AttemptKind, 'address' | 'client'>,
  whose: string,
  limits: { limit: number; windowMs: number } = { limit: mailLimit, windowMs: mailWindowMs },
): Promise<number | undefined> {
  await deleteClosedWindows(ctx)
  const now = ctx.clock.now()
  const subject = attemptSubject(kind, whose)
  const closesAt = after(now, limits.windowMs)
  if (await takeAttempt(ctx, { kind, subject, limit: limits.limit, closesAt })) return undefined
  return retryAfterSeconds((await selectWindowEnd(ctx, kind, subject)) ?? now, now)
}

/** Invitations of one project, and of one user, a day, so that nobody can flood mailboxes in our name. */
const invitationsPerDay = 100

/** How projects send invitations. */
export const inviting: Inviting = {
  sendMail: sendSystemMail,
  spend: spendInvitation,
}

/** Projects are quickly made, and so are accounts: hence the bounds of the user and of the whole instance. */
async function spendInvitation(
  tx: Context,
  { projectId, userId }: { projectId: string; userId: string },
): Promise<{ who: string; seconds: number } | undefined> {
  const counted = [
    { who: 'This project', whose: `project ${projectId}`, limit: invitationsPerDay },
    { who: 'You', whose: `user ${userId}`, limit: invitationsPerDay },
    { who: 'This instance', whose: 'instance', limit: tx.config.maxInvitationsPerDay },
  ]
  for (const { who, whose, limit } of counted) {
    const seconds = await spendMail(tx, 'invitation', whose, { limit, windowMs: day })
    if (seconds !== undefined) return { who, seconds }
  }
  return undefined
}

const batchSize = 1_000

/** Forgets links whose time is over; answers how many. */
export async function forgetLinks(ctx: Context, signal?: AbortSignal): Promise<number> {
  let total = 0
  while (!signal?.aborted) {
    const deleted = await deleteExpiredTokens(ctx, batchSize)
    total += deleted
    if (deleted < batchSize) break
  }
  return total
}
