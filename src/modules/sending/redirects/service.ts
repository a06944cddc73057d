// What old links mean: whose a link is, by the token that the other program gave that person, and where a link led.
import { AppError } from '../../../lib/errors'
import { isUuid } from '../../../lib/ids'
import type { Context } from '../../../platform/context'
import { hashToken } from '../../accounts/users'
import { contactLinks } from '../emails'
import { decideByOneClick, type ListLink, readLink } from '../preferences'
import {
  deleteOldRecipients,
  insertOldLinks,
  insertOldRecipients,
  type OldLink,
  type OldRecipient,
  selectKnownRecipients,
  selectOldLink,
  selectOldRecipients,
} from './queries'

/** Tokens are UUIDs, in upper or lower case; the address is the one that the other program has. Returns how many were not known. */
export async function rememberOldRecipients(
  tx: Context,
  projectId: string,
  given: ReadonlyArray<{ contactId: string; token: string; email: string }>,
): Promise<number> {
  const rows = given
    .filter(({ token }) => isUuid(token))
    .map(({ contactId, token, email }): [string, OldRecipient] => {
      const tokenHash = hashToken(token.toLowerCase())
      return [`${contactId} ${tokenHash}`, { projectId, contactId, tokenHash, addressHash: hashToken(email) }]
    })
  return rows.length === 0 ? 0 : await insertOldRecipients(tx, [...new Map(rows).values()])
}

/** Whose contact has a token, if it has another address than the one given; `changedHere`: the other program's is what it was. */
export async function findKnownRecipients(
  ctx: Context,
  projectId: string,
  given: ReadonlyArray<{ token: string; email: string }>,
): Promise<Map<string, { contactId: string; email: string; changedHere: boolean }>> {
  const asked = given.filter(({ token }) => isUuid(token))
  if (asked.length === 0) return new Map()
  const hashOf = (token: string): string => hashToken(token.toLowerCase())
  const rows = await selectKnownRecipients(
    ctx,
    projectId,
    asked.map(({ token }) => hashOf(token)),
  )
  const byHash = Map.groupBy(rows, ({ tokenHash }) => tokenHash)
  return new Map(
    asked.flatMap(({ token, email }) => {
      const known = byHash.get(hashOf(token)) ?? []
      const [newest] = known
      if (!newest || known.some(row => row.email === email)) return []
      const { contactId, addressHash } = newest
      return [
        [token, { contactId, email: newest.email, changedHere: addressHash === hashToken(email) }] as const,
      ]
    }),
  )
}

const longestUrl = 8_000

/** Returns how many were not known, and those that lead nowhere, which are left out. */
export async function rememberOldLinks<L extends { id: string; url: string }>(
  tx: Context,
  projectId: string,
  given: readonly L[],
): Promise<{ added: number; leftOut: L[] }> {
  const rows: OldLink[] = []
  const leftOut: L[] = []
  for (const link of given) {
    const url = isUuid(link.id) ? targetOf(link.url) : undefined
    if (url === undefined) leftOut.push(link)
    else rows.push({ projectId, id: link.id.toLowerCase(), url })
  }
  return { added: rows.length === 0 ? 0 : await insertOldLinks(tx, rows), leftOut }
}

/** A web address as it is written in the header of a redirect, in ASCII: a browser makes the same of it. */
function targetOf(given: string): string | undefined {
  const text = given.trim()
  if (/\p{Cc}/u.test(text) || !/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined
  // What is plain ASCII is kept as it is written.
  const url = /^[\x21-\x7e]+$/.test(text) ? text : new URL(text).href
  return url.length <= longestUrl ? url : undefined
}

/** Contacts are gone for good, and what their old links said about them with them. */
export async function pruneRecipients(
  ctx: Context,
  { projectId, contactIds }: { projectId: string; contactIds: readonly string[] },
): Promise<void> {
  await deleteOldRecipients(ctx, projectId, contactIds)
}

export async function findOldLink(ctx: Context, id: string): Promise<string | undefined> {
  return isUuid(id) ? await selectOldLink(ctx, id.toLowerCase()) : undefined
}

async function findOldRecipients(ctx: Context, token: string): Promise<OldRecipient[]> {
  return isUuid(token) ? await selectOldRecipients(ctx, hashToken(token.toLowerCase())) : []
}

/** The pages of the contact here; undefined for a token that nobody has. */
export async function findPages(ctx: Context, token: string) {
  const [first] = await findOldRecipients(ctx, token)
  return first && contactLinks(ctx.vault, ctx.config.baseUrl, first)
}

/** What a mail program asks for: no more mail from the sender, whoever that is here. */
export async function leaveByOldLink(ctx: Context, token: string, request: Request): Promise<void> {
  for (const recipient of await findOldRecipients(ctx, token))
    await decideByOneClick(ctx, linkOf(ctx, recipient), request).catch(unlessGone)
}

/** Somebody who goes in one project at this moment must not keep another from hearing it. */
function unlessGone(error: unknown): void {
  if (!(error instanceof AppError) || error.status !== 404) throw error
}

function linkOf(ctx: Context, recipient: OldRecipient): ListLink {
  const { manageUrl } = contactLinks(ctx.vault, ctx.config.baseUrl, recipient)
  return readLink(recipient.contactId, manageUrl)
}
