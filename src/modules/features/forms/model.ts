// Requests and answers of the routes about forms, as their project sees them.
import { type Static, t } from 'elysia'
import { answer, formBody, redirect } from '../../../http/openapi/media'
import { answeredId } from '../../../lib/answered'
import { oneOfWords } from '../../../lib/described'
import type { FieldError } from '../../../lib/errors'
import { cursorListOf, cursorQuery } from '../../../lib/paging'
import { isWebAddress } from '../../../lib/web-address'
import { isReservedKey } from '../../audience/contacts'
import { languageCodes } from '../../sending/preferences'
import { answeredVersion, expectedVersion } from '../../sending/templates'
import { type FormField, type FormLook, type FormRow, formFieldTypes } from './schema'

const nullableText = (maxLength: number, description: string) =>
  t.Union([t.String({ minLength: 1, maxLength }), t.Null()], { description })

const field = t.Object(
  {
    key: t.String({
      pattern: '^[A-Za-z][A-Za-z0-9_-]{0,63}$',
      description: "The key in the contact's data",
      examples: ['firstName'],
    }),
    label: t.String({ minLength: 1, maxLength: 200, examples: ['First name'] }),
    type: oneOfWords(formFieldTypes),
    required: t.Optional(t.Boolean({ description: 'Default false; a checkbox must then be ticked' })),
    maxLength: t.Optional(t.Integer({ minimum: 1, maximum: 2_000, description: 'Of a text; default 200' })),
    min: t.Optional(t.Number({ description: 'Of a number' })),
    max: t.Optional(t.Number({ description: 'Of a number' })),
    options: t.Optional(
      t.Array(t.String({ minLength: 1, maxLength: 200 }), {
        maxItems: 50,
        description: 'Of a choice: what there is to choose from',
      }),
    ),
  },
  { title: 'FormField' },
)

const look = t.Object(
  {
    accent: t.Optional(
      t.Union([t.String({ pattern: '^#[0-9a-fA-F]{6}$', examples: ['#0b7285'] }), t.Null()], {
        description: 'Button color; its text is black or white',
        examples: ['#0b7285'],
      }),
    ),
    heading: t.Optional(nullableText(100, 'Replaces the default heading')),
    text: t.Optional(nullableText(1_000, 'Below the heading')),
    button: t.Optional(nullableText(50, 'Replaces the default button text')),
    consent: t.Optional(nullableText(400, 'What people agree to, above the button')),
  },
  { title: 'GivenFormLook' },
)

const name = t.String({ minLength: 1, maxLength: 100, examples: ['Newsletter'] })

const members = {
  enabled: t.Optional(t.Boolean({ description: 'Default true; the page of one that is off says so' })),
  language: t.Optional(
    t.Union([oneOfWords(languageCodes), t.Null()], {
      description: "Null: that of the visitor's browser, otherwise the project's",
    }),
  ),
  topics: t.Optional(
    t.Array(t.String({ format: 'uuid' }), {
      maxItems: 20,
      description: 'What people subscribe to by it, besides all mail that names no topic',
    }),
  ),
  fields: t.Optional(t.Array(field, { maxItems: 20, description: 'Besides the address' })),
  look: t.Optional(look),
  templateId: t.Optional(
    t.Union([t.String({ format: 'uuid' }), t.Null()], {
      description:
        'Of the mail with the link, `{{confirmUrl}}` in it; it is from its sender. Null: a letter of our own from the default sender',
    }),
  ),
  redirectUrl: t.Optional(
    t.Union([t.String({ maxLength: 2_000 }), t.Null()], {
      description: 'Where people continue after confirming: http or https',
      examples: ['https://example.com/welcome'],
    }),
  ),
}

export const createBody = t.Object({ name, ...members })
export const updateBody = t.Object({ name: t.Optional(name), ...members, expectedVersion })
export const listQuery = t.Object(cursorQuery)

/** Any text: what is not a UUID is answered like an unknown one. */
export const idParams = t.Object({ id: answeredId() })

export type FormChangesBody = Static<typeof updateBody>
export type GivenForm = Omit<FormChangesBody, 'expectedVersion'>
export type NewForm = Static<typeof createBody>
export type GivenField = Static<typeof field>

const text = (description: string) => t.Union([t.String(), t.Null()], { description })

export const formAnswer = t.Object(
  {
    id: t.String({ format: 'uuid' }),
    name: t.String(),
    enabled: t.Boolean(),
    language: t.Union([t.String(), t.Null()]),
    topics: t.Array(t.String({ format: 'uuid' })),
    fields: t.Array(field),
    look: t.Object(
      {
        accent: text('Button color'),
        heading: text('Replaces the default heading'),
        text: text('Below the heading'),
        button: text('Replaces the default button text'),
        consent: text('What people agree to'),
      },
      { title: 'FormLook' },
    ),
    templateId: t.Union([t.String({ format: 'uuid' }), t.Null()]),
    redirectUrl: t.Union([t.String(), t.Null()]),
    version: answeredVersion,
    url: t.String({ description: 'Its page, which is also where other pages send their forms to' }),
    snippet: t.String({ description: 'The form as HTML for any page' }),
    asked: t.Integer({
      description:
        'How often it was sent; twice by the same address counts once until it is confirmed or over',
    }),
    confirmed: t.Integer({ description: 'How often that was confirmed' }),
    createdAt: t.String({ format: 'date-time' }),
    updatedAt: t.String({ format: 'date-time' }),
  },
  { title: 'Form' },
)

export const formList = cursorListOf(formAnswer)

/** `url` and `snippet` depend on where the instance is reached. */
export function toForm(
  { topicIds: topics, projectId: _, fields, createdAt, updatedAt, ...row }: FormRow,
  links: { url: string; snippet: string },
): Static<typeof formAnswer> {
  const times = { createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() }
  return { ...row, topics, fields: fields.map(toField), ...links, ...times }
}

const toField = (each: FormField): GivenField => ({ ...each })

/** What a form sends. */
export const askBody = formBody(
  {
    email: { type: 'string', format: 'email', maxLength: 254 },
    language: { type: 'string', maxLength: 10, description: 'Of the page that showed the form' },
    ticket: { type: 'string', maxLength: 100, description: 'From its own page, or from the puzzle' },
    answer: { type: 'string', maxLength: 20, description: 'Of the puzzle' },
    website: { type: 'string', maxLength: 100, description: 'Stays empty: a trap for programs' },
  },
  { required: ['email'], additionalProperties: true },
)

export const askAnswers = {
  200: answer('One more page, with a button to press; for a script: taken', 'text/html', 'application/json'),
  303: redirect('Taken; the page that says so'),
  404: answer('There is no such form, or it is off', 'text/html'),
  422: answer('Something can not be taken; the page again', 'text/html', 'application/json'),
  429: answer('Too many from this client', 'text/html', 'application/json'),
}

export const plainLook: FormLook = { accent: null, heading: null, text: null, button: null, consent: null }

export function lookAfter(before: FormLook, given: GivenForm['look'] = {}): FormLook {
  return { ...before, ...given }
}

/** Only what means something for its type is kept. */
export function toFields(given: readonly GivenField[]): FormField[] {
  return given.map(({ key, label, type, required = false, maxLength, min, max, options }) => ({
    ...{ key, label, type, required },
    ...(type === 'text' && maxLength !== undefined ? { maxLength } : {}),
    ...(type === 'number' && min !== undefined ? { min } : {}),
    ...(type === 'number' && max !== undefined ? { max } : {}),
    ...(type === 'choice' ? { options: options ?? [] } : {}),
  }))
}

export function formFaults({ fields = [], redirectUrl, look }: GivenForm): FieldError[] {
  const keys = fields.map(({ key }) => key)
  return [
    ...fields.flatMap((field, at) => fieldFaults(field, `fields.${at}`, keys.indexOf(field.key) < at)),
    ...(redirectUrl && !isWebAddress(redirectUrl)
      ? [fault('redirectUrl', 'Must be an address that begins with http:// or https://')]
      : []),
    ...Object.entries(look ?? {}).flatMap(([name, words]) =>
      typeof words === 'string' ? textFaults(words, `look.${name}`) : [],
    ),
  ]
}

function fieldFaults(
  { key, label, type, min, max, options = [] }: GivenField,
  at: string,
  isRepeated: boolean,
): FieldError[] {
  const faults = [
    ...textFaults(label, `${at}.label`),
    ...options.flatMap(each => textFaults(each, `${at}.options`)),
  ]
  if (isRepeated) faults.push(fault(`${at}.key`, 'Another field has this key'))
  if (isReservedKey(key) || key === '__proto__')
    faults.push(fault(`${at}.key`, 'This key is not for data of a contact'))
  if (type === 'choice' && options.length === 0) faults.push(fault(`${at}.options`, 'A choice needs options'))
  if (new Set(options).size < options.length) faults.push(fault(`${at}.options`, 'Each option once'))
  if (min !== undefined && max !== undefined && min > max)
    faults.push(fault(`${at}.max`, 'Must not be less than min'))
  return faults
}

/** Line breaks are fine; the database takes neither NUL nor half a character. */
function textFaults(words: string, field: string): FieldError[] {
  const isFine = words.trim() !== '' && words.isWellFormed() && !words.includes('\0')
  return isFine ? [] : [fault(field, 'Must be a text of ordinary characters')]
}

function fault(field: string, message: string): FieldError {
  return { field, message, code: 'invalid' }
}
