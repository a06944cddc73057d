// Whose word a complaint is: that of a feedback loop which signed it, or of anybody who has the message. The latter count few at a time, since
// whoever gets some mail could complain about all of it.
import { getDomain } from 'tldts'
import { day } from '../../../../lib/time'
import { isReporter } from '../../../../mail/bounces'
import { splitHeaders } from '../../../../mail/dkim/canonical'
import { isSignedBy } from '../../../../mail/dkim/verify'
import type { Context } from '../../../../platform/context'
import { perInstance } from '../../../../platform/per-context'

const longestHeader = 65_536

/** Whether a known feedback loop wrote the mail, by its signature. Never rejects. */
export async function isOfReporter(ctx: Context, raw: Uint8Array): Promise<boolean> {
  const head = Buffer.from(raw.subarray(0, longestHeader)).toString('latin1').split('\r\n\r\n', 1)[0]!
  const from = splitHeaders(head).filter(field => /^from[ \t]*:/i.test(field))
  if (from.length !== 1) return false
  const address = from[0]!
    .slice(from[0]!.lastIndexOf('<') + 1 || from[0]!.indexOf(':') + 1)
    .replace('>', '')
    .trim()
  if (!isReporter(address)) return false
  const organisation = getDomain(address.slice(address.lastIndexOf('@') + 1))
  return await isSignedBy(
    raw,
    domain => organisation !== null && getDomain(domain) === organisation,
    ctx.clock.now(),
    async name => {
      const answer = await ctx.dns.txt(name).catch(() => undefined)
      return answer?.status === 'found' ? answer.records.slice(0, 5) : []
    },
  )
}

const spanMs = 7 * day
const maxCounted = 3
const remembered = 10_000

const counted = perInstance(() => new Map<string, number[]>())

/** Whether one more complaint of somebody who is no known loop counts for a project: three in a week from one network. */
export function mayCount(ctx: Context, projectId: string, sender: string): boolean {
  const now = ctx.clock.now().getTime()
  const key = `${projectId} ${sender}`
  const recent = (counted(ctx).get(key) ?? []).filter(at => now - at < spanMs)
  counted(ctx).delete(key)
  if (counted(ctx).size >= remembered) counted(ctx).delete(counted(ctx).keys().next().value!)
  const isFree = recent.length < maxCounted
  counted(ctx).set(key, isFree ? [...recent, now] : recent)
  return isFree
}
