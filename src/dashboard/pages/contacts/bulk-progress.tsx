// The progress of a bulk change, and its result. Where it can be undone, that is offered.
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { answer, api, type Schemas } from '../../api/client'
import { t } from '../../texts'
import { ErrorNote } from '../../ui/error-note'
import { Progress } from '../../ui/progress'
import { toast, toastError } from '../../ui/toast'

interface BulkProgressProps {
  jobId: string
  onDone: () => void
}

export function BulkProgress({ jobId, onDone }: BulkProgressProps) {
  const queries = useQueryClient()
  const undo = useUndo()
  const { data, error } = useQuery({
    queryKey: ['contacts', 'bulk', jobId],
    queryFn: ({ signal }) => fetchJob(jobId, signal),
    refetchInterval: ({ state }) => (state.data?.result ? false : 700),
  })
  const result = data?.result
  useEffect(() => {
    if (!result) return
    const canUndo = result.operation !== 'delete' && result.successCount > 0
    toast(
      data.failedReason ?? wordsOf(result),
      canUndo ? { label: t.words.undo, run: () => undo(jobId, result.operation) } : undefined,
    )
    void refresh(queries)
    onDone()
  }, [result, data?.failedReason, queries, onDone, undo, jobId])
  if (error) return <ErrorNote error={error} />
  return <Progress label={t.contacts.bulkRuns} percent={data?.progress ?? 0} />
}

const fetchJob = (jobId: string, signal?: AbortSignal) =>
  answer(api.GET('/contacts/bulk/{jobId}', { params: { path: { jobId } }, signal }))

function wordsOf({
  operation,
  successCount,
  unchangedCount,
  failureCount,
}: Schemas['BulkJob']['result'] & {}) {
  if (operation === 'add' && failureCount === 0) return t.contacts.addedTo(successCount, unchangedCount)
  return t.contacts.bulkDone(successCount, failureCount)
}

async function refresh(queries: QueryClient): Promise<void> {
  await Promise.all(
    [['contacts', 'list'], ['segments']].map(queryKey => queries.invalidateQueries({ queryKey })),
  )
}

/** Undoes what a job changed. The bar that started it is gone by then. */
function useUndo(): (jobId: string, operation: string) => void {
  const queries = useQueryClient()
  return useCallback(
    (jobId, operation) => {
      const run = async (): Promise<void> => {
        const params = { path: { jobId } }
        const undo = (await answer(api.POST('/contacts/bulk/{jobId}/undo', { params })))!.jobId
        toast(t.contacts.undoing[operation as keyof typeof t.contacts.undoing])
        while (!(await fetchJob(undo))!.result) await new Promise(resolve => setTimeout(resolve, 700))
        await refresh(queries)
      }
      void run().catch(toastError)
    },
    [queries],
  )
}
