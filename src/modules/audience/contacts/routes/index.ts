// The contact routes. Fixed words in a path win over `:id`.

import { Elysia } from 'elysia'
import { refuseForeign } from '../../../../http/foreign-members'
import { cursorList, limitOf } from '../../../../lib/paging'
import type { Context } from '../../../../platform/context'
import { projectAccess } from '../../../accounts/projects'
import { changeReasons } from '../../events'
import { consentOrigin } from '../consent'
import { foreignToContact } from '../foreign'
import { contactCursor, readContactListing } from '../listing'
import {
  consentList,
  consentQuery,
  contactAnswer,
  contactList,
  createAnswer,
  createBody,
  fieldsAnswer,
  idParams,
  listQuery,
  lookupAnswer,
  lookupBody,
  toConsent,
  toContact,
  toCreated,
  updateBody,
} from '../model'
import {
  createContact,
  deleteContact,
  type FilterReader,
  getContact,
  listConsent,
  listContacts,
  listFields,
  lookUpContacts,
  updateContact,
} from '../service'
import { bulkRoutes } from './bulk'
import { fieldRoutes } from './fields'
import { fileRoutes } from './files'
import { type FilterTurn, searchRoutes } from './search'

interface Parts {
  /** Filter trees, which may name segments. */
  readFilter?: FilterReader
  /** Questions that read all contacts wait for each other. */
  inTurn?: FilterTurn
}

export function contactsRoutes(ctx: Context, parts: Parts = {}) {
  return new Elysia({ name: 'contacts' })
    .use(collectionRoutes(ctx))
    .use(bulkRoutes(ctx, parts.readFilter))
    .use(fileRoutes(ctx))
    .use(searchRoutes(ctx, parts))
    .use(fieldRoutes(ctx))
    .use(singleRoutes(ctx))
}

function collectionRoutes(ctx: Context) {
  return new Elysia({ prefix: '/contacts', tags: ['Contacts'] })
    .use(projectAccess(ctx))
    .get(
      '/',
      async ({ access, query }) => {
        const listing = readContactListing(query)
        const { rows, total } = await listContacts(ctx, access.project.id, listing)
        return cursorList(rows, listing.limit, total, toContact, row => contactCursor(listing.sort, row))
      },
      {
        scope: 'read',
        query: listQuery,
        response: contactList,
        detail: {
          summary: 'List contacts',
          description: '`total` is given on the first page; that of a search is counted up to 5,000.',
        },
      },
    )
    .post(
      '/',
      async ({ access, body, request, status }) => {
        const origin = consentOrigin(ctx, access, request)
        const { contact, isNew } = await createContact(ctx, access.project.id, body, origin)
        return status(isNew ? 201 : 200, toCreated(contact, isNew))
      },
      {
        scope: 'write',
        transform: refuseForeign(foreignToContact, createBody),
        body: createBody,
        response: { 200: createAnswer, 201: createAnswer },
        detail: {
          summary: 'Create a contact, or update the one with this address',
          description:
            '201 for a new contact, 200 for an existing one; `_meta` says the same. `data` is a patch: null removes a key, an empty string changes nothing.',
          shortErrors: [400],
        },
      },
    )
    .post('/lookup', ({ access, body }) => lookUpContacts(ctx, access.project.id, body.emails), {
      scope: 'read',
      whileSuspended: true,
      body: lookupBody,
      response: lookupAnswer,
      detail: {
        summary: 'Which of up to 500 addresses are contacts',
        description:
          '`found` and `notFound` hold the addresses as they were given, in that order. Case does not matter.',
      },
    })
    .get(
      '/fields',
      async ({ access }) => {
        const fields = await listFields(ctx, access.project.id)
        return { fields, count: fields.length }
      },
      {
        scope: 'read',
        response: fieldsAnswer,
        detail: {
          summary: 'Standard and custom fields',
          description:
            'The type of a field is that of the first value that the project saw, and does not change. `coverage` is the share of contacts that have the field.',
        },
      },
    )
}

function singleRoutes(ctx: Context) {
  return new Elysia({ prefix: '/contacts', tags: ['Contacts'] })
    .use(projectAccess(ctx))
    .get(
      '/:id',
      async ({ access, params }) => toContact(await getContact(ctx, access.project.id, params.id)),
      {
        scope: 'read',
        params: idParams,
        response: contactAnswer,
        detail: { summary: 'Get a contact', description: 'With its data and the state of its subscription.' },
      },
    )
    .patch(
      '/:id',
      async ({ access, params, body, request }) => {
        const { startWorkflows, ...update } = body
        const cause = {
          origin: consentOrigin(ctx, access, request),
          ...(startWorkflows === false && { data: { reason: changeReasons.quiet } }),
        }
        return toContact(await updateContact(ctx, access.project.id, params.id, update, cause))
      },
      {
        scope: 'write',
        params: idParams,
        transform: refuseForeign(foreignToContact, updateBody),
        body: updateBody,
        response: contactAnswer,
        detail: {
          summary: 'Change a contact; data is a patch, null drops all of it',
          description:
            'A changed subscription records `contact.subscribed` or `contact.unsubscribed`, which may start workflows. 409 where another contact has the new address.',
          errors: [409],
        },
      },
    )
    .get(
      '/:id/consent',
      async ({ access, params, query }) => {
        const limit = limitOf(query.limit)
        const { rows, total } = await listConsent(ctx, access.project.id, params.id, { ...query, limit })
        return cursorList(rows, limit, total, toConsent, ({ version, contactId }) => ({
          value: version,
          id: contactId,
        }))
      },
      {
        scope: 'read',
        params: idParams,
        query: consentQuery,
        response: consentList,
        detail: {
          summary: 'How the consent of a contact came about, newest first',
          description:
            'One entry for each change of its subscription, written with the change and never altered. A contact that was created without being subscribed begins without one.',
          addition: true,
        },
      },
    )
    .delete(
      '/:id',
      async ({ access, params, status }) => {
        await deleteContact(ctx, access.project.id, params.id)
        return status(204, undefined)
      },
      {
        scope: 'write',
        params: idParams,
        detail: {
          summary: 'Delete a contact',
          description:
            'Its executions end, and a job deletes what belonged to it: events, messages, the ledger of consent. A suppression of the address stays.',
        },
      },
    )
}
