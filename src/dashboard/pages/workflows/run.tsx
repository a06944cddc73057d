// What a contact went through: drawn on the graph as it was then, and step by step with the input and output of each. Executions and
// simulations look the same; they differ in where the steps come from.
import { useMemo } from 'react'
import Canvas from '../../editor/flow/canvas'
import {
  edgeAt,
  type Graph,
  isSamePort,
  type Port,
  portKey,
  portsOf,
  type Step,
  stepOf,
} from '../../editor/flow/graph'
import type { StepMark } from '../../editor/flow/shapes'
import { t } from '../../texts'
import { CodeBlock } from '../../ui/copy'
import { formatDateTime } from '../../ui/format'
import { Card } from '../../ui/page'
import { type Names, sayBranches, sayGraph } from './say'
import { StepList } from './step-list'

/** A step that was reached. */
export interface Visit {
  stepId: string
  status: string
  startedAt: string | null
  completedAt: string | null
  output: Record<string, unknown> | null
  error: string | null
}

interface RunProps {
  graph: Graph
  /** Undefined before anything has run. */
  visits?: readonly Visit[]
  names: Names
  chosen?: string
  onChoose: (stepId?: string) => void
  /** Renders more about a step, such as the one where it stands. */
  children?: (stepId: string) => React.ReactNode
  above?: React.ReactNode
  /** Shown below the list of steps, beside the graph. */
  side?: React.ReactNode
}

export function Run({ graph, visits, names, chosen, onChoose, children, above, side }: RunProps) {
  const said = useMemo(() => sayGraph(graph, names), [graph, names])
  const branches = useMemo(() => sayBranches(graph), [graph])
  const marks = useMemo(() => visits && marksOf(visits), [visits])
  const taken = useMemo(() => visits && takenBranches(graph, visits), [graph, visits])
  const times = useMemo(() => timesOf(visits ?? []), [visits])
  const step = stepOf(graph, chosen)
  const visit = visits?.find(({ stepId }) => stepId === chosen)
  return (
    <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_26rem]">
      <div className="min-w-0 space-y-4">
        {above}
        <Canvas
          label={t.workflows.path}
          className="h-[45dvh] rounded-lg border border-line bg-sunken lg:h-[max(24rem,calc(100dvh-17rem))]"
          {...{ graph, chosen, said, branches, marks, taken }}
          faulty={nobody}
          onChoose={onChoose}
        />
      </div>
      <div className="min-w-0 space-y-4">
        {visits && (
          <Card title={t.workflows.path}>
            <StepList {...{ graph, chosen, marks }} said={times} onChoose={onChoose} />
          </Card>
        )}
        {step && visits && (
          <Card title={step.name}>
            <Details step={step} visit={visit} />
            {children?.(step.id)}
          </Card>
        )}
        {side}
      </div>
    </div>
  )
}

const nobody: ReadonlySet<string> = new Set()

/** When each step began. */
function timesOf(visits: readonly Visit[]): Map<string, string> {
  return new Map(visits.map(({ stepId, startedAt }) => [stepId, startedAt ? formatDateTime(startedAt) : '']))
}

function Details({ step, visit }: { step: Step; visit?: Visit }) {
  if (!visit) return <p className="text-quiet">{t.workflows.notReached}</p>
  return (
    <div className="space-y-4">
      {visit.error !== null && (
        <p role="alert" className="rounded-md bg-bad-soft px-3 py-2 wrap-anywhere">
          {visit.error}
        </p>
      )}
      <Values title={t.workflows.input} values={step.config} />
      <Values title={t.workflows.output} values={visit.output} />
    </div>
  )
}

function Values({ title, values }: { title: string; values: Record<string, unknown> | null }) {
  if (!values || Object.keys(values).length === 0) return null
  return (
    <section className="space-y-1.5">
      <h3 className="text-xs text-quiet">{title}</h3>
      <CodeBlock code={JSON.stringify(values, null, 2)} />
    </section>
  )
}

const markOf: Record<string, StepMark> = {
  COMPLETED: 'done',
  FAILED: 'failed',
  WAITING: 'waiting',
  RUNNING: 'waiting',
  PENDING: 'waiting',
  SCHEDULED: 'waiting',
}

function marksOf(visits: readonly Visit[]): Map<string, StepMark> {
  return new Map(visits.map(({ stepId, status }) => [stepId, markOf[status] ?? 'untouched']))
}

/** The lines that were taken: from a step that was left to one that was reached, in the case that its outcome names. */
function takenBranches(graph: Graph, visits: readonly Visit[]): Set<string> {
  const byStep = new Map(visits.map(visit => [visit.stepId, visit]))
  const lines = graph.steps.flatMap(step => {
    const visit = byStep.get(step.id)
    if (!visit) return []
    const branch = portsOf(graph, step).find(port => wentAlong(graph, step, port, visit, byStep))
    return branch ? [`${step.id}:${portKey(branch)}`] : []
  })
  return new Set(lines)
}

function wentAlong(
  graph: Graph,
  step: Step,
  port: Port,
  { output }: Visit,
  visits: ReadonlyMap<string, Visit>,
): boolean {
  const target = edgeAt(graph, step.id, port)?.toStepId
  if (target === undefined || !visits.has(target)) return false
  const branch = output?.['branch']
  if (typeof branch === 'string') return port.branch === branch
  const waitOutcome =
    output?.['timedOut'] === true ? 'TIMEOUT' : output?.['eventReceived'] === true ? 'EVENT' : null
  const exact = { branch: null, waitOutcome } as const
  return isSamePort(port, exact) || (port.waitOutcome === null && !edgeAt(graph, step.id, exact))
}
