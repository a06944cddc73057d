// The brand of the project, as editors begin with it.
import { queryOptions } from '@tanstack/react-query'
import type { Schemas } from '../api/client'
import { read } from '../api/queries'
import { pageAddress } from '../app/page-address'

export type Brand = Schemas['Brand']

export const brandQuery = queryOptions({
  queryKey: ['brand'],
  queryFn: ({ signal }) => read('/projects/{id}/brand', { path: { id: pageAddress.projectId! } }, signal),
  staleTime: 60_000,
})
