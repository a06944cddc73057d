// What old links mean: whose a link is, by the token that the other program gave that person, and where a link led.
import { AppError } from '../../lib/errors'
import { isUuid } from '../../lib/ids'
import type { Context } from '../../platform/context'
import { contactLinks } from '../emails'
import { decideByOneClick, type ListLink, readLink } from '../preferences'
import { hashToken } from '../users'
import {
  deleteOldRecipients,
  insertOldLinks,
  insertOldRecipients,
  type OldLink,
  type OldRecipient,
  selectOldLink,
  selectOldRecipients,
} from './queries'

/** Tokens are UUIDs, in upper or lower case. Returns how many were not known. */
export async function rememberOldRecipients(
  tx: Context,
  projectId: string,
  given: ReadonlyArray<{ contactId: string; token: string }>,
): Promise<number> {
  const rows = given
    .filter(({ token }) => isUuid(token))
    .map(({ contactId, token }) => ({ projectId, contactId, tokenHash: hashToken(token.toLowerCase()) }))
  return rows.length === 0 ? 0 : await insertOldRecipients(tx, rows)
}

const longestUrl = 8_000

/** Leaves out what is not a web address. Returns how many were not known. */
export async function rememberOldLinks(
  tx: Context,
  projectId: string,
  given: ReadonlyArray<{ id: string; url: string }>,
): Promise<number> {
  const rows = given
    .filter(({ id, url }) => isUuid(id) && leadsSomewhere(url))
    .map(({ id, url }): OldLink => ({ projectId, id: id.toLowerCase(), url }))
  return rows.length === 0 ? 0 : await insertOldLinks(tx, rows)
}

/** As it is written in the header of a redirect. */
function leadsSomewhere(url: string): boolean {
  return url.length <= longestUrl && /^https?:\/\/[\x21-\x7e]+$/.test(url) && URL.canParse(url)
}

/** Contacts are gone for good, and what their old links said about them with them. */
export async function forgetOldRecipients(
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
