// The instance page's queries to the API.
import type { Schemas } from '../../api/client'
import { cursorQuery, read, readQuery } from '../../api/queries'

export type State = Schemas['InstanceState']
export type JobKind = State['jobs'][number]
export type FailedJob = Schemas['FailedJob']
export type Finding = Schemas['InstanceFindings']['findings'][number]

export const stateQuery = readQuery(['instance', 'state'], '/instance', {}, { refetchInterval: 15_000 })

export const findingsQuery = readQuery(
  ['instance', 'findings'],
  '/instance/findings',
  {},
  { staleTime: 60_000 },
)

export const failedQuery = (kind: string | undefined) =>
  cursorQuery(['instance', 'failed', kind], (cursor, signal) =>
    read('/instance/failed-jobs', { query: { limit: 100, cursor, kind } }, signal),
  )
