// Forms by which people subscribe themselves, what they sent with them until they confirm it, and which mailboxes had a mail lately.
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { createdAt, id, json, listed, time, updatedAt } from '../../../platform/db/columns'

export type FormRow = typeof forms.$inferSelect

export const formFieldTypes = ['text', 'number', 'date', 'choice', 'checkbox'] as const
export type FormFieldType = (typeof formFieldTypes)[number]

/** What a form asks for besides the address. */
export interface FormField {
  /** The key in the contact's data. */
  key: string
  label: string
  type: FormFieldType
  required: boolean
  /** Characters of a text. */
  maxLength?: number
  /** Bounds of a number. */
  min?: number
  max?: number
  /** What there is to choose from. */
  options?: string[]
}

/** How a form looks and what it says; null: as the pages do by themselves. */
export interface FormLook {
  accent: string | null
  heading: string | null
  text: string | null
  button: string | null
  consent: string | null
}

export const forms = pgTable(
  'forms',
  {
    /** Everybody sees it: it is the address of the form. */
    id: id(),
    projectId: uuid('project_id').notNull(),
    name: text('name').notNull(),
    enabled: boolean('enabled').notNull(),
    /** Null: that of the visitor's browser. */
    language: text('language'),
    topicIds: uuid('topic_ids').array().notNull(),
    fields: json<FormField[]>('fields').notNull(),
    look: json<FormLook>('look').notNull(),
    /** Of the mail that asks for the confirmation; null: a letter of our own. */
    templateId: uuid('template_id'),
    /** Where people continue after confirming. */
    redirectUrl: text('redirect_url'),
    /** Counts changes of the form itself. */
    version: integer('version').notNull().default(1),
    /** Of requests that are deleted by now. */
    asked: bigint('asked', { mode: 'number' }).notNull().default(0),
    confirmed: bigint('confirmed', { mode: 'number' }).notNull().default(0),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  form => [
    index('forms_project').on(form.projectId, form.id),
    check('forms_name', sql`char_length(name) between 1 and 100`),
  ],
)

/** `waiting` for its mail, `mailed` and waiting for the person, `confirmed`. */
export const requestStates = ['waiting', 'mailed', 'confirmed'] as const
export type RequestState = (typeof requestStates)[number]

/** What somebody sent by a form: no contact, until the mail to the address is answered. A row for each form and address. */
export const formRequests = pgTable(
  'form_requests',
  {
    projectId: uuid('project_id').notNull(),
    id: uuid('id').notNull(),
    formId: uuid('form_id').notNull(),
    email: text('email').notNull(),
    state: text('state').$type<RequestState>().notNull(),
    /** Counts what was sent and taken: a link is good for the very data that its mail was about. */
    version: integer('version').notNull(),
    values: json<Record<string, string | number | boolean>>('values').notNull(),
    topicIds: uuid('topic_ids').array().notNull(),
    language: text('language').notNull(),
    /** What the person was shown, for the ledger of consent. */
    wording: text('wording').notNull(),
    /** The contact's id, also that which a new one will get. */
    contactId: uuid('contact_id'),
    emailId: uuid('email_id'),
    /** How often it was taken, and how often confirmed, for the figures of the form. */
    asked: integer('asked').notNull(),
    confirmed: integer('confirmed').notNull(),
    askedAt: time('asked_at').notNull(),
    mailedAt: time('mailed_at'),
    /** Deleted then. */
    expiresAt: time('expires_at').notNull(),
  },
  request => [
    primaryKey({ name: 'form_requests_pkey', columns: [request.projectId, request.id] }),
    uniqueIndex('form_requests_address').on(request.projectId, request.formId, request.email),
    index('form_requests_contact').on(request.projectId, request.contactId),
    index('form_requests_expires').on(request.expiresAt),
    check('form_requests_state', sql`state in ${listed(requestStates)}`),
  ],
)

/** When a mailbox last had a mail because of a form: one a day, whoever asks for how many. */
export const formMailboxes = pgTable(
  'form_mailboxes',
  {
    projectId: uuid('project_id').notNull(),
    mailbox: text('mailbox').notNull(),
    mailedAt: time('mailed_at').notNull(),
  },
  each => [
    primaryKey({ name: 'form_mailboxes_pkey', columns: [each.projectId, each.mailbox] }),
    index('form_mailboxes_mailed').on(each.mailedAt),
  ],
)
