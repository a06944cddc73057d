// The sources of the command palette: each asks the API for the best few hits. Whatever has names and a page of its own gets a source
// here.
import type { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { answer, api } from '../api/client'
import { t } from '../texts'

export interface Hit {
  id: string
  label: string
  /** What kind of thing it is, in a word. */
  kind: string
  icon?: ReactNode
  go: () => void
}

export type Navigate = ReturnType<typeof useNavigate>

export interface PaletteSource {
  name: string
  /** The best few for what was typed. */
  find: (text: string, signal: AbortSignal, navigate: Navigate) => Promise<Hit[]>
}

const few = 5

interface Named {
  id: string
  name: string
}

type Place =
  | '/campaigns/$id'
  | '/templates/$id'
  | '/layouts/$id'
  | '/workflows/$id'
  | '/segments/$id'
  | '/forms/$id'

/** Of a list that the API does not search. */
const named = <T extends Named>(all: readonly T[], search: string): T[] => {
  const wanted = search.toLowerCase()
  return all.filter(({ name }) => name.toLowerCase().includes(wanted)).slice(0, few)
}

const hitsOf = (found: readonly Named[], kind: string, to: Place, navigate: Navigate): Hit[] =>
  found.map(({ id, name }) => ({ id, label: name, kind, go: () => void navigate({ to, params: { id } }) }))

export const paletteSources: readonly PaletteSource[] = [
  {
    name: 'contacts',
    async find(search, signal, navigate) {
      const { data } = await answer(
        api.GET('/contacts', { params: { query: { search, limit: few } }, signal }),
      )
      return data.map(({ id, email }) => ({
        id,
        label: email,
        kind: t.navigation.kinds.contact,
        go: () => void navigate({ to: '/contacts/$id', params: { id } }),
      }))
    },
  },
  {
    name: 'campaigns',
    async find(search, signal, navigate) {
      const params = { query: { search, pageSize: few } }
      const { data } = await answer(api.GET('/campaigns', { params, signal }))
      return hitsOf(data, t.navigation.kinds.campaign, '/campaigns/$id', navigate)
    },
  },
  {
    name: 'templates',
    async find(search, signal, navigate) {
      const params = { query: { search, pageSize: few } }
      const { data } = await answer(api.GET('/templates', { params, signal }))
      return hitsOf(data, t.navigation.kinds.template, '/templates/$id', navigate)
    },
  },
  {
    name: 'layouts',
    async find(search, signal, navigate) {
      const { data } = await answer(api.GET('/layouts', { params: { query: { limit: 100 } }, signal }))
      return hitsOf(named(data, search), t.navigation.kinds.layout, '/layouts/$id', navigate)
    },
  },
  {
    name: 'workflows',
    async find(search, signal, navigate) {
      const params = { query: { search, pageSize: few } }
      const { data } = await answer(api.GET('/workflows', { params, signal }))
      return hitsOf(data, t.navigation.kinds.workflow, '/workflows/$id', navigate)
    },
  },
  {
    name: 'segments',
    async find(search, signal, navigate) {
      const all = await answer(api.GET('/segments', { signal }))
      return hitsOf(named(all, search), t.navigation.kinds.segment, '/segments/$id', navigate)
    },
  },
  {
    name: 'forms',
    async find(search, signal, navigate) {
      const { data } = await answer(api.GET('/signup-forms', { params: { query: { limit: 100 } }, signal }))
      return hitsOf(named(data, search), t.navigation.kinds.form, '/forms/$id', navigate)
    },
  },
]
