// Publishing the changes of a workflow that is on: with contacts in it, it says first what that means for them.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { stepOf } from '../../editor/flow/graph'
import { Publish } from '../../editor/save-state'
import { t } from '../../texts'
import { Confirm } from '../../ui/confirm'
import { toast, toastError } from '../../ui/toast'
import { inShort, stepCountsQuery, type Whole } from './data'
import type { Editor } from './use-editor'

interface Asked {
  running: number
  /** At steps that are gone from the graph. */
  removed: number
}

export function PublishChanges({ workflow, editor }: { workflow: Whole; editor: Editor }) {
  const queries = useQueryClient()
  const [asked, setAsked] = useState<Asked>()
  const { draft, graph, store } = editor
  const press = async (): Promise<unknown> => {
    const query = { ...stepCountsQuery(workflow.id), staleTime: 0 }
    const found = await queries.fetchQuery(query).catch(toastError)
    if (!found) return undefined
    const { steps, isMore } = found
    const sum = (some: typeof steps): number => some.reduce((total, { executions }) => total + executions, 0)
    const counted = sum(steps)
    const running = isMore ? Math.max(counted, inShort(workflow.executionCounts).running) : counted
    if (running === 0) return await store()
    setAsked({ running, removed: sum(steps.filter(({ stepId }) => !stepOf(graph, stepId))) })
    return undefined
  }
  const publish = async (): Promise<void> => {
    if (await store()) toast(t.writing.published)
  }
  return (
    <>
      <Publish draft={draft} store={press} />
      <Confirm
        open={asked !== undefined}
        onClose={() => setAsked(undefined)}
        title={t.workflows.publishTitle}
        consequence={asked && t.workflows.publishHint(asked.running, asked.removed)}
        action={t.writing.publish}
        actionVariant="strong"
        onConfirm={publish}
      />
    </>
  )
}
