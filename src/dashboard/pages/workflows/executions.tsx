// The executions of a workflow: who is in it, who completed it, and where it failed.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { Footprints, X } from 'lucide-react'
import { useState } from 'react'
import { answer, api } from '../../api/client'
import { ForSenders, ForWriters } from '../../app/rights'
import { refresh } from '../../app/session'
import { t } from '../../texts'
import { Button } from '../../ui/button'
import { classes } from '../../ui/classes'
import { ConfirmButton } from '../../ui/confirm'
import { type Column, DataTable } from '../../ui/data-table'
import { formatCompact } from '../../ui/format'
import { Loaded } from '../../ui/loading'
import { Empty } from '../../ui/page'
import { RowLink } from '../../ui/row-link'
import { Time } from '../../ui/time'
import { toast } from '../../ui/toast'
import { type Execution, executionsQuery, inShort, type Whole, workflowQuery } from './data'
import { ExecutionStatus } from './execution-status'
import { Frame } from './frame'
import { StartByHand } from './start'

const route = getRouteApi('/inside/workflows/$id/executions')
const states = ['RUNNING', 'WAITING', 'COMPLETED', 'EXITED', 'FAILED', 'CANCELLED'] as const

export function Executions() {
  const { id } = route.useParams()
  const query = useQuery(workflowQuery(id))
  return (
    <Loaded page query={query}>
      {workflow => <Shown workflow={workflow} />}
    </Loaded>
  )
}

function Shown({ workflow }: { workflow: Whole }) {
  const { status, step } = route.useSearch()
  const query = useInfiniteQuery(executionsQuery(workflow.id, status, step))
  const [starts, setStarts] = useState(false)
  return (
    <Frame
      workflow={workflow}
      actions={
        <>
          <ForWriters>
            <CancelAll workflow={workflow} />
          </ForWriters>
          <ForSenders label={t.workflows.start}>
            <Button disabled={!workflow.enabled} onClick={() => setStarts(true)}>
              {t.workflows.start}
            </Button>
          </ForSenders>
        </>
      }
    >
      <States workflow={workflow} chosen={status} step={step} />
      <DataTable
        label={t.workflows.tabs.executions}
        query={query}
        columns={columns()}
        rowKey={execution => execution.id}
        empty={
          <Empty icon={<Footprints aria-hidden />} title={t.workflows.noExecutions}>
            {workflow.enabled ? t.workflows.noExecutionsHint : t.workflows.noExecutionsOff}
          </Empty>
        }
      />
      <StartByHand workflowId={workflow.id} open={starts} onClose={() => setStarts(false)} />
    </Frame>
  )
}

function columns(): Column<Execution>[] {
  return [
    {
      id: 'contact',
      header: t.words.contact,
      cell: ({ id, workflowId, contact }) => (
        <RowLink to="/workflows/$id/executions/$executionId" params={{ id: workflowId, executionId: id }}>
          {contact?.email ?? t.workflows.goneContact}
        </RowLink>
      ),
      grows: true,
    },
    {
      id: 'status',
      header: t.words.status,
      cell: ({ status }) => <ExecutionStatus status={status} />,
    },
    {
      id: 'step',
      header: t.workflows.stands,
      cell: ({ currentStep, exitReason }) => (
        <span className="block max-w-56 truncate text-quiet">{currentStep?.name ?? exitReason ?? ''}</span>
      ),
      beneath: 'contact',
    },
    {
      id: 'startedAt',
      header: t.workflows.startedAt,
      cell: ({ startedAt }) => <Time at={startedAt} quiet />,
      wideOnly: true,
      align: 'right',
    },
    {
      id: 'completedAt',
      header: t.workflows.endedAt,
      cell: ({ completedAt }) => completedAt && <Time at={completedAt} quiet />,
      wideOnly: true,
      align: 'right',
    },
  ]
}

interface StatesProps {
  workflow: Whole
  chosen?: string
  /** Only those that are at this step now. */
  step?: string
}

function States({ workflow, chosen, step }: StatesProps) {
  const { id, executionCounts: counts, steps } = workflow
  const name = steps.find(each => each.id === step)?.name ?? t.workflows.formerStep
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const all = [[undefined, t.workflows.allStates, total] as const]
  const each = states.map(state => [state, t.workflows.statuses[state], counts[state]] as const)
  const isOn = (state: string | undefined): boolean => step === undefined && chosen === state
  return (
    <nav aria-label={t.words.status} className="flex gap-1.5 overflow-x-auto pb-0.5">
      {step !== undefined && (
        <Link to="/workflows/$id/executions" params={{ id }} className={chip(true)}>
          <span className="max-w-56 truncate">{t.workflows.atStep(name)}</span>
          <X className="size-3.5" aria-hidden />
          <span className="sr-only">{t.workflows.anyStep}</span>
        </Link>
      )}
      {[...all, ...each].map(([state, label, count]) => (
        <Link
          key={label}
          to="/workflows/$id/executions"
          params={{ id }}
          search={{ status: state }}
          aria-current={isOn(state) ? 'page' : undefined}
          className={chip(isOn(state))}
        >
          {label}
          {count > 0 && <span className="tabular-nums text-quiet">{formatCompact(count)}</span>}
        </Link>
      ))}
    </nav>
  )
}

const chip = (isOn: boolean): string =>
  classes(
    'inline-flex min-h-8 items-center gap-1.5 whitespace-nowrap rounded-full border px-3 max-md:min-h-11',
    isOn ? 'border-ink bg-hover font-medium text-ink' : 'border-line bg-sheet text-quiet hover:text-ink',
  )

function CancelAll({ workflow: { id, name, executionCounts } }: { workflow: Whole }) {
  const navigate = useNavigate()
  const { running } = inShort(executionCounts)
  if (running === 0) return null
  const cancel = async (): Promise<void> => {
    const { cancelled } = await answer(
      api.POST('/workflows/{id}/executions/cancel-all', { params: { path: { id } } }),
    )
    toast(t.workflows.cancelledMany(cancelled))
    await refresh('workflows')
    await navigate({ to: '/workflows/$id/executions', params: { id } })
  }
  return (
    <ConfirmButton
      variant="danger"
      title={t.workflows.cancelAllTitle(running, name)}
      consequence={t.workflows.cancelHint}
      action={t.workflows.cancelAll}
      onConfirm={cancel}
    />
  )
}
