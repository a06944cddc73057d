// One execution: who it is about, where it stands, and the way that it took.
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { answer, api } from '../../api/client'
import { ForSenders, ForWriters } from '../../app/rights'
import { refresh } from '../../app/session'
import { t } from '../../texts'
import { BackLink } from '../../ui/back-link'
import { useBusy } from '../../ui/busy'
import { Button } from '../../ui/button'
import { ConfirmButton } from '../../ui/confirm'
import { Loaded } from '../../ui/loading'
import { Page } from '../../ui/page'
import { Time } from '../../ui/time'
import { toast } from '../../ui/toast'
import { executionQuery, graphOf, isActive, type WholeExecution } from './data'
import { ExecutionStatus } from './execution-status'
import { Run } from './run'
import { useNames } from './use-names'

const route = getRouteApi('/inside/workflows/$id/executions/$executionId')

export function ExecutionPage() {
  const { id, executionId } = route.useParams()
  const query = useQuery(executionQuery(id, executionId))
  return (
    <Loaded page query={query}>
      {execution => <Shown execution={execution} />}
    </Loaded>
  )
}

function Shown({ execution }: { execution: WholeExecution }) {
  const { workflow, stepExecutions } = execution
  const visits = visitsOf(execution)
  const { id, executionId } = route.useParams()
  const { step } = route.useSearch()
  const navigate = useNavigate()
  const names = useNames(workflow)
  const graph = useMemo(() => graphOf(execution.graph), [execution.graph])
  const chosen = step ?? (execution.status === 'FAILED' ? (execution.currentStepId ?? undefined) : undefined)
  const who = execution.contact?.email ?? t.workflows.goneContact
  return (
    <Page
      wide
      title={who}
      state={<ExecutionStatus status={execution.status} />}
      description={<Standing execution={execution} />}
      above={
        <BackLink to="/workflows/$id/executions" params={{ id }}>
          {workflow.name}
        </BackLink>
      }
      actions={
        isActive(execution.status) ? (
          <ForWriters>
            <Cancel execution={execution} />
          </ForWriters>
        ) : (
          <Again execution={execution} />
        )
      }
    >
      <Run
        graph={graph}
        visits={visits}
        names={names}
        chosen={chosen}
        onChoose={next =>
          void navigate({
            to: '/workflows/$id/executions/$executionId',
            params: { id, executionId },
            search: { step: next },
            replace: true,
          })
        }
      >
        {stepId => <Tries visits={stepExecutions.filter(visit => visit.stepId === stepId)} />}
      </Run>
    </Page>
  )
}

/** The record of a delay ends when it begins; whoever looks sees the contact wait there. */
function visitsOf({
  status,
  currentStepId,
  stepExecutions,
}: WholeExecution): WholeExecution['stepExecutions'] {
  if (!isActive(status)) return stepExecutions
  return stepExecutions.map(visit => (visit.stepId === currentStepId ? { ...visit, status } : visit))
}

/** Since when, and what comes next or how it ended. */
function Standing({ execution }: { execution: WholeExecution }) {
  const { startedAt, completedAt, wakeAt, currentStep, exitReason, contactId, contact } = execution
  return (
    <span className="flex flex-wrap gap-x-4 gap-y-1">
      <span>
        {t.workflows.startedAt} <Time at={startedAt} exact />
      </span>
      {completedAt && (
        <span>
          {t.workflows.endedAt} <Time at={completedAt} exact />
        </span>
      )}
      {currentStep && !completedAt && <span>{t.workflows.standsAt(currentStep.name)}</span>}
      {wakeAt && (
        <span>
          {t.workflows.goesOn} <Time at={wakeAt} />
        </span>
      )}
      {exitReason && <span>{t.workflows.endedBy(exitReason)}</span>}
      {contact && (
        <Link to="/contacts/$id" params={{ id: contactId }} className="underline underline-offset-2">
          {t.words.contact}
        </Link>
      )}
    </span>
  )
}

/** Every attempt at a webhook call, with the other side's reply. */
function Tries({ visits }: { visits: WholeExecution['stepExecutions'] }) {
  const tries = visits.flatMap(({ attempts }) => attempts)
  if (tries.length === 0) return null
  return (
    <ol className="mt-4 space-y-2 border-t border-line pt-3">
      {tries.map(({ attempt, startedAt, outcome, statusCode, error, response }) => (
        <li key={attempt}>
          <p>
            <span className="font-medium">{t.messages.tried(attempt)}</span>{' '}
            <span className="text-quiet">
              {statusCode ?? t.workflows.callOutcomes[outcome] ?? outcome} · <Time at={startedAt} exact />
            </span>
          </p>
          {(error ?? response) && (
            <p className="line-clamp-4 text-quiet wrap-anywhere">{error ?? response}</p>
          )}
        </li>
      ))}
    </ol>
  )
}

function Cancel({ execution: { id, workflowId, contact } }: { execution: WholeExecution }) {
  const cancel = async (): Promise<void> => {
    const path = { id: workflowId, executionId: id }
    await answer(api.DELETE('/workflows/{id}/executions/{executionId}', { params: { path } }))
    await refresh('workflows')
    toast(t.workflows.cancelled)
  }
  return (
    <ConfirmButton
      variant="danger"
      title={t.workflows.cancelTitle(contact?.email ?? t.workflows.goneContact)}
      consequence={t.workflows.cancelHint}
      action={t.workflows.cancel}
      onConfirm={cancel}
    />
  )
}

/** The API can't resume an execution that has ended; the same contact starts anew, with the same values. */
function Again({
  execution: { workflowId, contactId, contact, context, workflow },
}: {
  execution: WholeExecution
}) {
  const [busy, run] = useBusy()
  const navigate = useNavigate()
  if (!contact || !workflow.enabled) return null
  const start = async (): Promise<void> => {
    const params = { path: { id: workflowId } }
    const body = { contactId, context }
    const { id } = await answer(api.POST('/workflows/{id}/executions', { params, body }))
    void refresh('workflows')
    await navigate({
      to: '/workflows/$id/executions/$executionId',
      params: { id: workflowId, executionId: id },
    })
  }
  return (
    <ForSenders label={t.workflows.again}>
      <Button busy={busy} onClick={() => run(start)}>
        {t.workflows.again}
      </Button>
    </ForSenders>
  )
}
