// How a bulk change stands, and what came of it.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { answer, api } from '../../api/client'
import { t } from '../../texts'
import { ErrorNote } from '../../ui/error-note'
import { Progress } from '../../ui/progress'
import { toast } from '../../ui/toast'

interface BulkProgressProps {
  jobId: string
  undo?: () => void
  onDone: () => void
}

export function BulkProgress({ jobId, undo, onDone }: BulkProgressProps) {
  const queries = useQueryClient()
  const { data, error } = useQuery({
    queryKey: ['contacts', 'bulk', jobId],
    queryFn: ({ signal }) =>
      answer(api.GET('/contacts/bulk/{jobId}', { params: { path: { jobId } }, signal })),
    refetchInterval: ({ state }) => (state.data?.result ? false : 700),
  })
  const result = data?.result
  useEffect(() => {
    if (!result) return
    const words = t.contacts.bulkDone(result.successCount, result.failureCount)
    toast(words, undo && { label: t.contacts.undo, run: undo })
    void queries.invalidateQueries({ queryKey: ['contacts', 'list'] })
    onDone()
  }, [result, queries, onDone, undo])
  if (error) return <ErrorNote error={error} />
  return <Progress label={t.contacts.bulkRuns} percent={data?.progress ?? 0} />
}
