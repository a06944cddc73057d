// Many contacts at once: a job does it, and its progress is shown until it is done.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { answer, api } from '../../api/client'
import { t } from '../../texts'
import { Button } from '../../ui/button'
import { Confirm } from '../../ui/confirm'
import { ErrorNote } from '../../ui/error-note'
import { Progress } from '../../ui/progress'
import { toast } from '../../ui/toast'

type Operation = 'subscribe' | 'unsubscribe' | 'delete'

const paths = {
  subscribe: '/contacts/bulk-subscribe',
  unsubscribe: '/contacts/bulk-unsubscribe',
  delete: '/contacts/bulk-delete',
} as const

export function BulkBar({ chosen, onDone }: { chosen: ReadonlySet<string>; onDone: () => void }) {
  const [jobId, setJobId] = useState<string>()
  const [asks, setAsks] = useState<Operation>()
  const [error, setError] = useState<unknown>()
  const start = async (operation: Operation): Promise<void> => {
    const body = { contactIds: [...chosen].slice(0, 1_000) }
    setJobId((await answer(api.POST(paths[operation], { body })))?.jobId)
  }
  const startNow = (operation: Operation) => () => void start(operation).catch(setError)
  if (jobId) return <BulkProgress jobId={jobId} onDone={onDone} />
  return (
    <div className="flex flex-wrap items-center gap-2 rounded-lg border border-line bg-sheet px-4 py-2">
      <span className="mr-auto font-medium">{t.contacts.chosen(chosen.size)}</span>
      <Button onClick={startNow('subscribe')}>{t.contacts.bulk.subscribe}</Button>
      <Button onClick={() => setAsks('unsubscribe')}>{t.contacts.bulk.unsubscribe}</Button>
      <Button look="danger" onClick={() => setAsks('delete')}>
        {t.contacts.bulk.delete}
      </Button>
      {error !== undefined && <ErrorNote error={error} />}
      <Confirm
        open={asks !== undefined}
        onClose={() => setAsks(undefined)}
        title={
          asks === 'delete' ? t.contacts.deleteTitle(chosen.size) : t.contacts.unsubscribeTitle(chosen.size)
        }
        consequence={asks === 'delete' ? t.contacts.deleteHint : t.contacts.unsubscribeHint}
        action={asks ? t.contacts.bulk[asks] : ''}
        onConfirm={async () => asks && (await start(asks))}
      />
    </div>
  )
}

function BulkProgress({ jobId, onDone }: { jobId: string; onDone: () => void }) {
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
    toast(t.contacts.bulkDone(result.successCount, result.failureCount))
    void queries.invalidateQueries({ queryKey: ['contacts', 'list'] })
    onDone()
  }, [result, queries, onDone])
  if (error) return <ErrorNote error={error} />
  return <Progress label={t.contacts.bulkRuns} percent={data?.progress ?? 0} />
}
