// Requests and answers of the contact routes, and the one place where a stored contact becomes what a client sees.

import { type Static, t } from 'elysia'
import { givenTree } from '../../../../filters/schema'
import { answeredAddress, answeredId } from '../../../../lib/answered'
import {
  addressText,
  countText,
  cursorParameter,
  describedWith,
  filterSwitch,
  filterWord,
  oneOfWords,
  queryText,
} from '../../../../lib/described'
import { freeForm } from '../../../../lib/free-form'
import { cursorListOf, directions, lenientSortQuery, sortQuery } from '../../../../lib/paging'
import { contactSortKeys, contactStatuses } from '../listing'
import type { ContactRow } from '../queries/rows'
import { fieldTypes } from '../schema'

const email = addressText()
const data = t.Union([freeForm, t.Null()], {
  description: 'A patch: only the keys sent change, null removes a key, an empty string changes nothing',
  examples: [{ plan: 'pro', code: { value: 'A1', persistent: false } }],
})

const startWorkflows = t.Boolean({
  description:
    'Whether a changed subscription starts workflows: true also for a contact that is created subscribed, false for none. Without it, only a change of an existing contact does',
  'x-waxwing-addition': true,
})

/** The address is optional here: a missing one gets the short form of error that the interface documents. */
export const createBody = describedWith(
  t.Object({
    email: t.Optional(email),
    subscribed: t.Optional(t.Boolean({ description: 'A new contact without it is subscribed' })),
    data: t.Optional(data),
    startWorkflows: t.Optional(startWorkflows),
  }),
  'email',
)

export const updateBody = t.Object({
  email: t.Optional(email),
  subscribed: t.Optional(t.Boolean()),
  data: t.Optional(data),
  startWorkflows: t.Optional(startWorkflows),
})

/** Any text: what is not a UUID is answered like an unknown contact. */
export const idParams = t.Object({ id: answeredId() })

export const contactAnswer = t.Object(
  {
    id: t.String({ format: 'uuid' }),
    email: answeredAddress(),
    subscribed: t.Boolean(),
    snoozedUntil: t.Union([t.String({ format: 'date-time' }), t.Null()]),
    optedOutAt: t.Union([t.String({ format: 'date-time' }), t.Null()], {
      description:
        'When it opted out; null in a contact that is unsubscribed: it was never asked, or is snoozed',
      'x-waxwing-addition': true,
    }),
    data: freeForm,
    createdAt: t.String({ format: 'date-time' }),
    updatedAt: t.String({ format: 'date-time' }),
  },
  { title: 'Contact' },
)

export const createAnswer = t.Composite(
  [contactAnswer, t.Object({ _meta: t.Object({ isNew: t.Boolean(), isUpdate: t.Boolean() }) })],
  { title: 'CreatedContact' },
)

const namesHint =
  'Also finds contacts with the text of `search` in their name: in fields such as `firstName`, `lastName`, and `name`, among the newest 100,000 contacts'

const filters = {
  search: t.Optional(queryText(255, 'Part of the address; case is ignored')),
  searchNames: t.Optional(filterSwitch(namesHint)),
  subscribed: t.Optional(filterSwitch('Only contacts in this state')),
  status: t.Optional(filterWord(contactStatuses, 'Only contacts in this state')),
}

/** What orders the list counts as the default where it can't be understood, as documented. */
export const listQuery = t.Object({
  limit: t.Optional(countText('Default 20; more than 100 counts as 100')),
  cursor: t.Optional(cursorParameter),
  ...filters,
  ...lenientSortQuery(contactSortKeys),
})

/** Filters and order of the list; an export has no pages. */
export const exportQuery = t.Object({
  ...filters,
  ...sortQuery(contactSortKeys),
  consent: t.Optional(filterSwitch('Adds the column consentChanges')),
})

export const exportDescription =
  'With `consent` there is a column `consentChanges`: the newest 100 changes of consent of each contact, as JSON, oldest first.'

/** The list with a filter tree, which no address can hold. Here, where no old client asks, what can't be understood is refused. */
const sought = {
  filter: givenTree,
  search: t.Optional(t.String({ maxLength: 255, description: 'Part of the address; case is ignored' })),
  searchNames: t.Optional(t.Boolean({ description: namesHint, 'x-waxwing-addition': true })),
  status: t.Optional(oneOfWords(contactStatuses)),
  sort: t.Optional(oneOfWords(contactSortKeys)),
  dir: t.Optional(oneOfWords(directions)),
}

export const searchBody = t.Object({
  ...sought,
  limit: t.Optional(t.Integer({ minimum: 1, maximum: 100, description: 'Default 20' })),
  cursor: t.Optional(t.Union([t.String({ maxLength: 2_000 }), t.Null()])),
})

/** An export has no pages. */
export const exportBody = t.Object({ ...sought, consent: t.Optional(t.Boolean()) })

export const contactList = cursorListOf(contactAnswer)

export const lookupBody = describedWith(
  t.Object({ emails: t.Optional(t.Array(t.String({ maxLength: 1_000 }), { maxItems: 500 })) }),
  'emails',
)

export const lookupAnswer = t.Object({ found: t.Array(t.String()), notFound: t.Array(t.String()) })

export const fieldsAnswer = t.Object({
  fields: t.Array(
    t.Object({
      field: t.String({ examples: ['data.plan'] }),
      type: oneOfWords(fieldTypes),
      isCustom: t.Boolean(),
      coverage: t.Number({ description: 'Share of the contacts that have it, from 0 to 1' }),
    }),
  ),
  count: t.Integer(),
})

export type ContactAnswer = Static<typeof contactAnswer>

export function toContact(contact: ContactRow): ContactAnswer {
  return {
    id: contact.id,
    email: contact.email,
    subscribed: contact.subscribed,
    snoozedUntil: contact.snoozedUntil?.toISOString() ?? null,
    optedOutAt: contact.optedOutAt?.toISOString() ?? null,
    data: contact.data,
    createdAt: contact.createdAt.toISOString(),
    updatedAt: contact.updatedAt.toISOString(),
  }
}

export function toCreated(contact: ContactRow, isNew: boolean): Static<typeof createAnswer> {
  return { ...toContact(contact), _meta: { isNew, isUpdate: !isNew } }
}
