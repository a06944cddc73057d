// The form pages' queries to the API, and a form as it is edited.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { answer, api, type Schemas } from '../../api/client'

export type SignUpForm = Schemas['Form']
export type SignUpField = Schemas['FormField']

export const formPages = infiniteQueryOptions({
  queryKey: ['forms', 'list'],
  queryFn: ({ pageParam, signal }) => {
    const query = { limit: 50, ...(pageParam ? { cursor: pageParam } : {}) }
    return answer(api.GET('/signup-forms', { params: { query }, signal }))
  },
  initialPageParam: '',
  getNextPageParam: ({ cursor }) => cursor ?? undefined,
})

export const formQuery = (id: string) =>
  queryOptions({
    queryKey: ['forms', 'one', id],
    queryFn: ({ signal }) => answer(api.GET('/signup-forms/{id}', { params: { path: { id } }, signal })),
    // Something that is being edited is not reloaded behind somebody's back.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

export const templateChoice = queryOptions({
  queryKey: ['templates', 'choice'],
  queryFn: async ({ signal }) =>
    (
      await answer(
        api.GET('/templates', { params: { query: { pageSize: 100, sort: 'name', dir: 'asc' } }, signal }),
      )
    ).data,
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
  return {
    ...{ name, enabled, topics, fields, look: Object.fromEntries(texts) },
    ...{
      language: form.language ?? '',
      templateId: form.templateId ?? '',
      redirectUrl: form.redirectUrl ?? '',
    },
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
