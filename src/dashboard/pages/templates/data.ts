// The template pages' queries to the API.
import { infiniteQueryOptions } from '@tanstack/react-query'
import type { Schemas } from '../../api/client'
import { read, readQuery, whileEdited } from '../../api/queries'

export type TemplateRow = Schemas['Template']

export interface Filters {
  search?: string
  type?: string
}

export const types = ['MARKETING', 'TRANSACTIONAL', 'HEADLESS'] as const

export const templatesQuery = ({ search, type }: Filters) =>
  infiniteQueryOptions({
    queryKey: ['templates', 'list', search, type],
    queryFn: ({ pageParam, signal }) => {
      const known = types.find(each => each === type)
      const query = { page: pageParam, pageSize: 12, search, type: known, sort: 'updatedAt' as const }
      return read('/templates', { query }, signal)
    },
    initialPageParam: 1,
    getNextPageParam: ({ page, totalPages }) => (page < totalPages ? page + 1 : undefined),
  })

export const templateQuery = (id: string) =>
  readQuery(['templates', 'one', id], '/templates/{id}', { path: { id } }, whileEdited)

export const usageQuery = (id: string) =>
  readQuery(['templates', 'usage', id], '/templates/{id}/usage', { path: { id } })

/** Whether what is stored is sent without another press: by a step, a form, or a program that has sent with it before. */
export function isInUse({ workflowSteps, forms, emailsSent }: Schemas['TemplateUsage']): boolean {
  return workflowSteps.length + forms.length + emailsSent > 0
}
