// The progress of an import, its result, what to do next, and how it is undone.
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { answer, api, type Schemas } from '../../../api/client'
import { refresh } from '../../../app/session'
import { t } from '../../../texts'
import { Button, ButtonLink } from '../../../ui/button'
import { ConfirmButton } from '../../../ui/confirm'
import { ErrorNote } from '../../../ui/error-note'
import { formatTime } from '../../../ui/format'
import { Card } from '../../../ui/page'
import { Progress } from '../../../ui/progress'
import { saveFile } from '../../../ui/save-file'
import { writeRow } from '../csv'
import { Figure } from './preview'

type Job = Schemas['ImportJob']
type Result = NonNullable<Job['result']>

interface ReportProps {
  jobId: string
  segmentId?: string | undefined
  onAnother: () => void
}

export function Report({ jobId, segmentId, onAnother }: ReportProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ['contacts', 'import', jobId],
    queryFn: ({ signal }) =>
      answer(api.GET('/contacts/import/{jobId}', { params: { path: { jobId } }, signal })),
    refetchInterval: ({ state }) => (isSettled(state.data) ? false : 700),
  })
  const settled = isSettled(data)
  useEffect(() => {
    if (settled) void refresh('contacts', 'list')
  }, [settled])
  if (error) return <ErrorNote error={error} />
  if (!data || !isDone(data)) return <Progress label={t.contacts.importRuns} percent={data?.progress ?? 0} />
  const { undo, result } = data
  const warnings = result?.warnings ?? []
  return (
    <div className="space-y-6">
      {undo ? <Undone undo={undo} /> : null}
      <Card title={data.state === 'failed' ? t.contacts.importFailed : t.contacts.importDone}>
        {data.failedReason && !undo && <p className="pb-3 text-bad">{data.failedReason}</p>}
        {warnings.map(warning => (
          <p key={warning} className="pb-3 text-warn wrap-anywhere">
            {warning}
          </p>
        ))}
        {result && <Counts result={result} />}
        {!undo && result && result.successCount > 0 && <Next segmentId={segmentId} />}
        <div className="mt-5 flex flex-wrap items-center gap-3 border-t border-line pt-4">
          <Button onClick={onAnother}>{t.contacts.another}</Button>
          {data.undoableUntil && (
            <>
              <UndoButton jobId={jobId} onDone={() => void refetch()} />
              <span className="text-quiet">{t.contacts.undoUntil(formatTime(data.undoableUntil))}</span>
            </>
          )}
        </div>
      </Card>
      {result && result.errors.length > 0 && <Refused errors={result.errors} />}
    </div>
  )
}

function Counts({ result }: { result: Result }) {
  const { createdCount, updatedCount, unchangedCount, failureCount, misfitCount, optedOutCount } = result
  return (
    <>
      <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
        <Figure name={t.contacts.createdCount} value={createdCount} />
        <Figure name={t.contacts.updatedCount} value={updatedCount - unchangedCount} />
        <Figure name={t.contacts.unchangedCount} value={unchangedCount} />
        <Figure name={t.contacts.failureCount} value={failureCount} />
      </dl>
      {optedOutCount > 0 && <p className="pt-3">{t.contacts.stayedOut(optedOutCount)}</p>}
      {misfitCount > 0 && <p className="pt-3 text-warn">{t.contacts.misfits(misfitCount)}</p>}
    </>
  )
}

function Next({ segmentId }: { segmentId: string | undefined }) {
  return (
    <div className="mt-5 space-y-2">
      <h3 className="font-medium">{t.contacts.nextSteps}</h3>
      <div className="flex flex-wrap gap-2">
        {segmentId ? (
          <ButtonLink to="/segments/$id" params={{ id: segmentId }}>
            {t.contacts.seeSegment}
          </ButtonLink>
        ) : (
          <ButtonLink to="/contacts">{t.contacts.seeContacts}</ButtonLink>
        )}
        <ButtonLink to="/campaigns/new" variant="strong">
          {t.contacts.newCampaign}
        </ButtonLink>
      </div>
    </div>
  )
}

function UndoButton({ jobId, onDone }: { jobId: string; onDone: () => void }) {
  const undo = async (): Promise<void> => {
    await answer(api.POST('/contacts/import/{jobId}/undo', { params: { path: { jobId } } }))
    onDone()
  }
  return (
    <ConfirmButton
      label={t.contacts.undoImport}
      title={t.contacts.undoTitle}
      action={t.contacts.undoImport}
      consequence={t.contacts.undoConsequence}
      onConfirm={undo}
    />
  )
}

function Undone({ undo }: { undo: NonNullable<Job['undo']> }) {
  if (undo.state !== 'completed') return <Progress label={t.contacts.undoRuns} percent={undo.progress} />
  const { removedCount, restoredCount, keptCount, usedCount, changedCount } = undo
  const kept = [
    keptCount > 0 && t.contacts.undoKept(keptCount),
    usedCount > 0 && t.contacts.undoUsed(usedCount),
    changedCount > 0 && t.contacts.undoChanged(changedCount),
  ]
  return (
    <Card title={t.contacts.undone}>
      <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
        <Figure name={t.contacts.undoRemoved} value={removedCount} />
        <Figure name={t.contacts.undoRestored} value={restoredCount} />
      </dl>
      <ul className="pt-3">{kept.map(text => text && <li key={text}>{text}</li>)}</ul>
    </Card>
  )
}

function isDone(job: Job | undefined): boolean {
  return job?.state === 'completed' || job?.state === 'failed'
}

/** Neither it nor its undo will change any more. */
function isSettled(job: Job | undefined): boolean {
  return isDone(job) && job?.undo?.state !== 'active'
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
