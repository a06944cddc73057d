// The form pages' queries to the API, and a form as it is edited.
import type { Schemas } from '../../api/client'
import { cursorQuery, read, readQuery, whileEdited } from '../../api/queries'
import type { Missing } from '../../editor/draft-state'
import { t } from '../../texts'

export type SignUpForm = Schemas['Form']
export type SignUpField = Schemas['FormField']

export const formPages = cursorQuery(['forms', 'list'], (cursor, signal) =>
  read('/signup-forms', { query: { limit: 50, cursor } }, signal),
)

export const formQuery = (id: string) =>
  readQuery(['forms', 'one', id], '/signup-forms/{id}', { path: { id } }, whileEdited)

const allByName = { query: { pageSize: 100, sort: 'name', dir: 'asc' } } as const

export const templateChoice = readQuery(['templates', 'choice'], '/templates', allByName, {
  staleTime: 30_000,
})

/** Empty texts stand for null. Whether it is on is no part of it: that reaches visitors at once. */
export interface FormDraft {
  name: string
  language: string
  topics: string[]
  fields: SignUpField[]
  look: Record<keyof SignUpForm['look'], string>
  templateId: string
  redirectUrl: string
}

export function draftOf({ name, topics, fields, look, ...form }: SignUpForm): FormDraft {
  const texts = Object.entries(look).map(([key, words]) => [key, words ?? ''])
  const { language, templateId, redirectUrl } = form
  return {
    ...{ name, topics, fields, look: Object.fromEntries(texts) },
    ...{ language: language ?? '', templateId: templateId ?? '', redirectUrl: redirectUrl ?? '' },
  }
}

export function formBody({ look, language, templateId, redirectUrl, fields, ...draft }: FormDraft) {
  const texts = Object.entries(look).map(([key, words]) => [key, words.trim() || null])
  return {
    ...draft,
    fields: fields.map(withOptions),
    // Which languages there are is the server's business.
    language: (language || null) as SignUpForm['language'] as never,
    look: Object.fromEntries(texts) as SignUpForm['look'],
    ...{ templateId: templateId || null, redirectUrl: redirectUrl.trim() || null },
  }
}

/** Lines that are empty while somebody types are no options. */
function withOptions({ options, ...field }: SignUpField): SignUpField {
  if (field.type !== 'choice') return field
  return { ...field, options: (options ?? []).map(each => each.trim()).filter(Boolean) }
}

const key = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/

/** What keeps parts of it from being stored, by the names of the fields. */
export function formFaults({ name, fields, look }: FormDraft): Missing {
  const { missing } = t.forms
  const lacking = fields.map((field, at): Missing => {
    const lacksOptions = field.type === 'choice' && !withOptions(field).options?.length
    return {
      ...(field.label.trim() ? {} : { [`fields.${at}.label`]: missing.label }),
      ...(key.test(field.key) ? {} : { [`fields.${at}.key`]: missing.key }),
      ...(lacksOptions ? { [`fields.${at}.options`]: missing.options } : {}),
    }
  })
  const isColor = /^(#[0-9a-f]{6})?$/i.test(look.accent.trim())
  return {
    ...(name.trim() ? {} : { name: t.campaigns.missing.name }),
    ...Object.assign({}, ...lacking),
    ...(isColor ? {} : { 'look.accent': missing.accent }),
  }
}
