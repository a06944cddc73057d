// The form pages' queries to the API, and a form as it is edited.
import type { Schemas } from '../../api/client'
import { cursorQuery, read, readQuery, whileEdited } from '../../api/queries'

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

/** Empty texts stand for null. */
export interface FormDraft {
  name: string
  enabled: boolean
  language: string
  topics: string[]
  fields: SignUpField[]
  look: Record<keyof SignUpForm['look'], string>
  templateId: string
  redirectUrl: string
}

export const newDraft: FormDraft = {
  ...{ name: '', enabled: true, language: '', topics: [], fields: [], templateId: '', redirectUrl: '' },
  look: { accent: '', heading: '', text: '', button: '', consent: '' },
}

export function draftOf({ name, enabled, topics, fields, look, ...form }: SignUpForm): FormDraft {
  const texts = Object.entries(look).map(([key, words]) => [key, words ?? ''])
  const { language, templateId, redirectUrl } = form
  return {
    ...{ name, enabled, topics, fields, look: Object.fromEntries(texts) },
    ...{ language: language ?? '', templateId: templateId ?? '', redirectUrl: redirectUrl ?? '' },
  }
}

export function formBody({ look, language, templateId, redirectUrl, ...draft }: FormDraft) {
  const texts = Object.entries(look).map(([key, words]) => [key, words.trim() || null])
  return {
    ...draft,
    // Which languages there are is the server's business.
    language: (language || null) as SignUpForm['language'] as never,
    look: Object.fromEntries(texts) as SignUpForm['look'],
    ...{ templateId: templateId || null, redirectUrl: redirectUrl.trim() || null },
  }
}
