// The progress of an import, and its result.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { answer, api, type Schemas } from '../../api/client'
import { t } from '../../texts'
import { Button } from '../../ui/button'
import { ErrorNote } from '../../ui/error-note'
import { Card } from '../../ui/page'
import { Progress } from '../../ui/progress'
import { saveFile } from '../../ui/save-file'
import { writeRow } from './csv'
import { Figure } from './import-preview'

type Result = NonNullable<Schemas['ImportJob']['result']>

export function Report({ jobId, onAnother }: { jobId: string; onAnother: () => void }) {
  const queries = useQueryClient()
  const { data, error } = useQuery({
    queryKey: ['contacts', 'import', jobId],
    queryFn: ({ signal }) =>
      answer(api.GET('/contacts/import/{jobId}', { params: { path: { jobId } }, signal })),
    refetchInterval: ({ state }) => (isDone(state.data?.state) ? false : 700),
  })
  const done = isDone(data?.state)
  useEffect(() => {
    if (done) void queries.invalidateQueries({ queryKey: ['contacts', 'list'] })
  }, [done, queries])
  if (error) return <ErrorNote error={error} />
  if (!data || !done) return <Progress label={t.contacts.importRuns} percent={data?.progress ?? 0} />
  return (
    <div className="space-y-6">
      <Card title={data.state === 'failed' ? t.contacts.importFailed : t.contacts.importDone}>
        {data.failedReason && <p className="pb-3 text-bad">{data.failedReason}</p>}
        {data.result?.warnings.map(warning => (
          <p key={warning} className="pb-3 text-warn wrap-anywhere">
            {warning}
          </p>
        ))}
        {data.result && (
          <dl className="grid grid-cols-3 gap-3">
            <Figure name={t.contacts.createdCount} value={data.result.createdCount} />
            <Figure name={t.contacts.updatedCount} value={data.result.updatedCount} />
            <Figure name={t.contacts.failureCount} value={data.result.failureCount} />
          </dl>
        )}
        <Button className="mt-5" onClick={onAnother}>
          {t.contacts.another}
        </Button>
      </Card>
      {data.result && data.result.errors.length > 0 && <Refused errors={data.result.errors} />}
    </div>
  )
}

function isDone(state: string | undefined): boolean {
  return state === 'completed' || state === 'failed'
}

function Refused({ errors }: { errors: Result['errors'] }) {
  const save = (): void => {
    const rows = errors.map(({ row, email, error }) => [String(row), email, error])
    const text = [['row', 'email', 'error'], ...rows].map(writeRow).join('\n')
    saveFile('refused.csv', new Blob([text], { type: 'text/csv' }))
  }
  return (
    <Card title={t.contacts.refused} actions={<Button onClick={save}>{t.contacts.refusedFile}</Button>}>
      <ul className="divide-y divide-line">
        {errors.slice(0, 100).map(({ row, email, error }) => (
          <li key={row} className="py-2 wrap-anywhere">
            <span className="text-quiet tabular-nums">
              {t.contacts.row} {row}
            </span>{' '}
            <span className="font-medium">{email}</span> {error}
          </li>
        ))}
      </ul>
    </Card>
  )
}
