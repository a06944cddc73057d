// The workflow pages' queries to the API, and what they send.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { answer, api, type Schemas } from '../../api/client'
import { cursorQuery, read, readQuery } from '../../api/queries'
import type { Graph } from '../../editor/flow/graph'
import { t } from '../../texts'

export type Listed = Schemas['ListedWorkflow']
export type Whole = Schemas['WorkflowWithSteps']
export type Saved = Schemas['SavedWorkflow']
export type WorkflowWarning = Saved['warnings'][number]
export type Execution = Schemas['Execution']
export type WholeExecution = Schemas['ExecutionWithHistory']
export type Simulated = Schemas['Simulation']
export type Counts = Schemas['ExecutionCounts']

export interface Filters {
  search?: string
  status?: string
}

/** The list is paged by number; as pages follow one another, that makes no difference when scrolling. */
export const workflowsQuery = ({ search, status }: Filters) =>
  infiniteQueryOptions({
    queryKey: ['workflows', 'list', search, status],
    queryFn: ({ pageParam, signal }) => {
      const query = { page: pageParam, pageSize: 50, search, status: status as 'active' | undefined }
      return read('/workflows', { query }, signal)
    },
    initialPageParam: 1,
    getNextPageParam: ({ page, totalPages }) => (page < totalPages ? page + 1 : undefined),
    refetchInterval: 30_000,
  })

export const workflowQuery = (id: string) =>
  readQuery(['workflows', 'one', id], '/workflows/{id}', { path: { id } })

export const templatesQuery = queryOptions({
  queryKey: ['templates', 'names'],
  queryFn: async ({ signal }) => {
    const query = { pageSize: 100, sort: 'name', dir: 'asc' } as const
    return (await read('/templates', { query }, signal)).data
  },
  staleTime: 30_000,
})

/** Names of events that were seen, the most frequent first. */
export const eventNamesQuery = queryOptions({
  queryKey: ['events', 'names'],
  queryFn: async ({ signal }) => (await read('/events/names', {}, signal)).eventNames,
  staleTime: 30_000,
})

/** The fields that conditions can use. */
export const fieldsQuery = (eventName: string | undefined) =>
  queryOptions({
    queryKey: ['workflows', 'fields', eventName],
    queryFn: async ({ signal }) => (await read('/workflows/fields', { query: { eventName } }, signal)).fields,
    staleTime: 30_000,
  })

export const segmentsQuery = readQuery(['segments', 'names'], '/segments', {}, { staleTime: 30_000 })

/** How many runs are at each step now; steps without any are left out. */
export const stepCountsQuery = (id: string) =>
  readQuery(
    ['workflows', 'steps', id],
    '/workflows/{id}/executions/steps',
    { path: { id } },
    { refetchInterval: 30_000 },
  )

export const executionsQuery = (id: string, status: string | undefined, stepId: string | undefined) =>
  cursorQuery(['workflows', 'executions', id, status, stepId], (cursor, signal) => {
    const query = { pageSize: 50, cursor, stepId, status: status as 'RUNNING' | undefined }
    return read('/workflows/{id}/executions', { path: { id }, query }, signal)
  })

export const executionQuery = (id: string, executionId: string) =>
  readQuery(
    ['workflows', 'execution', id, executionId],
    '/workflows/{id}/executions/{executionId}',
    { path: { id, executionId } },
    { refetchInterval: ({ state }) => (isActive(state.data?.status) ? 5_000 : false) },
  )

export function isActive(status: string | undefined): boolean {
  return status === 'RUNNING' || status === 'WAITING'
}

/** How many executions are active, finished, failed and cancelled. */
export function inShort(counts: Counts) {
  return {
    running: counts.RUNNING + counts.WAITING,
    finished: counts.COMPLETED + counts.EXITED,
    failed: counts.FAILED,
    cancelled: counts.CANCELLED,
  }
}

/** The stored graph as the editor holds it. */
export function graphOf({
  steps,
  transitions,
}: Pick<Whole, 'steps' | 'transitions'> | WholeExecution['graph']): Graph {
  return {
    steps: steps.map(({ id, type, name, config, templateId }) => ({
      ...{ id, type, config, templateId },
      // The server names it after what starts it, which is shown beside it anyway.
      name: type === 'TRIGGER' ? t.workflows.types.TRIGGER : name,
    })),
    transitions: transitions.map(({ fromStepId, toStepId, branch, waitOutcome, ...edge }) => ({
      ...{ fromStepId, toStepId, branch, waitOutcome },
      priority: 'priority' in edge ? edge.priority : 0,
    })),
  } as Graph
}

interface Put {
  /** The one that it was made from. */
  revision?: number
  positions?: Parameters<typeof sent>[1]
  leaving?: boolean
}

/** Stores a graph. */
export async function putGraph(
  id: string,
  graph: Graph,
  { revision, positions, leaving = false }: Put = {},
): Promise<Saved> {
  const body = { ...sent(graph, positions), revision } as never
  const params = { path: { id } }
  return await answer(api.PUT('/workflows/{id}/graph', { params, body, keepalive: leaving }))
}

/** What this browser calls the draft of a graph. */
export const draftName = (id: string): string => `workflow.${id}`

/** What is stored of a graph, in one order. The server has a name of its own for the trigger. */
export function comparableGraph({ steps, transitions }: Graph): unknown {
  const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
  const named = steps.map(step => (step.type === 'TRIGGER' ? { ...step, name: '' } : step))
  return {
    steps: named.toSorted((a, b) => byText(a.id, b.id)),
    transitions: transitions.map(edge => JSON.stringify(edge, Object.keys(edge).sort())).toSorted(byText),
  }
}

/** The graph as the API takes it. */
export function sent(graph: Graph, positions: ReadonlyMap<string, { x: number; y: number }> = new Map()) {
  return {
    steps: graph.steps.map(step => ({ ...step, position: positions.get(step.id) })),
    transitions: graph.transitions.map(edge => ({ ...edge })),
  }
}

type SubscriptionEvent = 'contact.subscribed' | 'contact.unsubscribed'

/** Whether it is an event of a changed subscription, which not all changes start workflows with. */
export function isSubscription(eventName: string | undefined): eventName is SubscriptionEvent {
  return eventName === 'contact.subscribed' || eventName === 'contact.unsubscribed'
}
