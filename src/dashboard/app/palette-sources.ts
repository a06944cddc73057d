// Who finds things for the command palette: each asks the API for the best few. What has names and a page of its own gets a source here.
import type { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { answer, api } from '../api/client'
import { t } from '../texts'

export interface Hit {
  id: string
  label: string
  /** What it is, in a word. */
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
      return data.map(({ id, name }) => ({
        id,
        label: name,
        kind: t.navigation.kinds.campaign,
        go: () => void navigate({ to: '/campaigns/$id', params: { id } }),
      }))
    },
  },
  {
    name: 'templates',
    async find(search, signal, navigate) {
      const params = { query: { search, pageSize: few } }
      const { data } = await answer(api.GET('/templates', { params, signal }))
      return data.map(({ id, name }) => ({
        id,
        label: name,
        kind: t.navigation.kinds.template,
        go: () => void navigate({ to: '/templates/$id', params: { id } }),
      }))
    },
  },
  {
    name: 'segments',
    async find(search, signal, navigate) {
      const all = await answer(api.GET('/segments', { signal }))
      const wanted = search.toLowerCase()
      return all
        .filter(({ name }) => name.toLowerCase().includes(wanted))
        .slice(0, few)
        .map(({ id, name }) => ({
          id,
          label: name,
          kind: t.navigation.kinds.segment,
          go: () => void navigate({ to: '/segments/$id', params: { id } }),
        }))
    },
  },
]
