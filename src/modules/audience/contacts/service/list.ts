// Reading many contacts: lists, look-ups by address, and the fields they have.
import type { SQL } from 'drizzle-orm'
import { normaliseEmail } from '../../../../lib/address'
import { badRequest } from '../../../../lib/errors'
import type { Context } from '../../../../platform/context'
import { standardFields } from '../fields'
import type { ContactListing } from '../listing'
import {
  type ContactRow,
  countMatches,
  countMatching,
  countSnoozed,
  selectContactCounts,
  selectFieldCounts,
  selectKnownEmails,
  selectPage,
} from '../queries'
import type { FieldType } from '../schema'
import { withNamed } from './named'

/** A search is counted one by one, but not further than this. */
const maxMatches = 5_000

export interface ContactPage {
  /** Up to one row more than the limit. */
  rows: ContactRow[]
  /** All matches, counted for the first page only; those of a search up to `maxMatches`. */
  total: number
}

/** With a condition on the table contacts `total` is exact, however many they are. */
export async function listContacts(
  ctx: Context,
  projectId: string,
  listing: ContactListing,
  condition?: SQL,
): Promise<ContactPage> {
  const found = await withNamed(ctx, projectId, listing)
  const rows = await selectPage(ctx, projectId, found, condition)
  if (listing.after !== null) return { rows, total: 0 }
  // A page that has room has everything: rare matches are not searched for a second time.
  if (rows.length <= listing.limit) return { rows, total: rows.length }
  if (condition) return { rows, total: await countMatching(ctx, projectId, found, condition) }
  return { rows, total: await countContacts(ctx, projectId, found) }
}

async function countContacts(ctx: Context, projectId: string, listing: ContactListing): Promise<number> {
  if (listing.search !== null) return countMatches(ctx, projectId, listing, maxMatches)
  const [counts, snoozed] = await Promise.all([
    selectContactCounts(ctx, projectId),
    listing.status === 'snoozed' || listing.status === 'unsubscribed' ? countSnoozed(ctx, projectId) : 0,
  ])
  const unsubscribed = counts.contacts - counts.subscribed
  if (listing.status === 'snoozed') return snoozed
  // The counts are read one after another, and contacts may change in between.
  if (listing.status === 'unsubscribed') return Math.max(0, unsubscribed - snoozed)
  const subscribed = listing.status === 'subscribed' ? true : listing.subscribed
  if (subscribed === null) return counts.contacts
  return subscribed ? counts.subscribed : unsubscribed
}

/** Which addresses are contacts; each in the caller's spelling, in the caller's order, as often as given. */
export async function lookUpContacts(
  ctx: Context,
  projectId: string,
  emails: readonly string[] | undefined,
): Promise<{ found: string[]; notFound: string[] }> {
  if (!emails || emails.length === 0) throw badRequest('emails must list at least one address')
  const normalised = emails.map(normaliseEmail)
  const known = new Set(await selectKnownEmails(ctx, projectId, [...new Set(normalised)]))
  const isKnown = (index: number): boolean => known.has(normalised[index]!)
  return {
    found: emails.filter((_, index) => isKnown(index)),
    notFound: emails.filter((_, index) => !isKnown(index)),
  }
}

export interface FieldDescriptor {
  field: string
  type: FieldType
  isCustom: boolean
  /** Share of the contacts that have it, from 0 to 1. */
  coverage: number
}

/** Standard and custom fields by name. */
export async function listFields(ctx: Context, projectId: string): Promise<FieldDescriptor[]> {
  const [{ contacts }, custom] = await Promise.all([
    selectContactCounts(ctx, projectId),
    selectFieldCounts(ctx, projectId),
  ])
  const fields = [
    ...standardFields.map(field => ({ ...field, isCustom: false, coverage: 1 })),
    ...custom.map(({ name, type, contacts: having }) => ({
      field: `data.${name}`,
      type,
      isCustom: true,
      // The two counts are read one after another, and contacts may come and go in between.
      coverage: contacts > 0 ? Math.min(1, having / contacts) : 0,
    })),
  ]
  return fields.sort((a, b) => (a.field < b.field ? -1 : 1))
}
