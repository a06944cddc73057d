// The sources of the command palette: each asks the API for the best few hits. Whatever has names and a page of its own gets a source
// here.
import type { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { read } from '../api/queries'
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

/** Of a list that the API does not search. */
const named = <T extends Named>(all: readonly T[], search: string): T[] => {
  const wanted = search.toLowerCase()
  return all.filter(({ name }) => name.toLowerCase().includes(wanted)).slice(0, few)
}

/** Things of a kind, each of which has a page of its own. */
const source = (
  name: 'contacts' | 'campaigns' | 'templates' | 'layouts' | 'workflows' | 'segments' | 'forms',
  kind: keyof typeof t.navigation.kinds,
  find: (search: string, signal: AbortSignal) => Promise<readonly Named[]>,
): PaletteSource => ({
  name,
  async find(text, signal, navigate) {
    return (await find(text, signal)).map(({ id, name: label }) => ({
      ...{ id, label, kind: t.navigation.kinds[kind] },
      go: () => void navigate({ to: `/${name}/$id`, params: { id } }),
    }))
  },
})

const all = { query: { limit: 100 } }

export const paletteSources: readonly PaletteSource[] = [
  source('contacts', 'contact', async (search, signal) => {
    const { data } = await read('/contacts', { query: { search, limit: few } }, signal)
    return data.map(({ id, email }) => ({ id, name: email }))
  }),
  source('campaigns', 'campaign', async (search, signal) => {
    return (await read('/campaigns', { query: { search, pageSize: few } }, signal)).data
  }),
  source('templates', 'template', async (search, signal) => {
    return (await read('/templates', { query: { search, pageSize: few } }, signal)).data
  }),
  source('layouts', 'layout', async (search, signal) => {
    return named((await read('/layouts', all, signal)).data, search)
  }),
  source('workflows', 'workflow', async (search, signal) => {
    return (await read('/workflows', { query: { search, pageSize: few } }, signal)).data
  }),
  source('segments', 'segment', async (search, signal) => {
    return named(await read('/segments', {}, signal), search)
  }),
  source('forms', 'form', async (search, signal) => {
    return named((await read('/signup-forms', all, signal)).data, search)
  }),
]
