// Importing many contacts from a CSV file: choose the file, say what its columns become, see what would happen, run it, see the result.
import { useQuery } from '@tanstack/react-query'
import { FileUp } from 'lucide-react'
import { useState } from 'react'
import { answer, api } from '../../api/client'
import { topicsQuery } from '../../api/topics'
import { refresh } from '../../app/session'
import { t } from '../../texts'
import { BackLink } from '../../ui/back-link'
import { useAttempt } from '../../ui/busy'
import { Button } from '../../ui/button'
import { ErrorNote } from '../../ui/error-note'
import { Card, Page } from '../../ui/page'
import { decodeFile, guess, readTableInSlices, type Table } from './csv'
import { fieldsQuery } from './data'
import { Choices } from './import/choices'
import { Mapping } from './import/mapping'
import { type KnownFields, type Plan, partsOf, planFor } from './import/plan'
import { Preview } from './import/preview'
import { Report } from './import/report'
import type { FieldKind } from './import/values'

interface Chosen {
  /** As it is sent. */
  file: File
  table: Table
}

interface Started {
  jobId: string
  segmentId?: string | undefined
}

export function ImportContacts() {
  const [file, setFile] = useState<Chosen>()
  const [reading, setReading] = useState<number>()
  const [plan, setPlan] = useState<Plan>()
  const [started, setStarted] = useState<Started>()
  const { data = [] } = useQuery(topicsQuery)
  const known = useKnownFields()
  const topics = data.filter(({ archived }) => !archived)
  const { busy, error, run, clear } = useAttempt()
  const choose = (chosen: File | undefined) =>
    run(async () => {
      if (!chosen) return
      try {
        const { text, file } = await decodeFile(chosen)
        const table = await readTableInSlices(text, setReading)
        setFile({ file, table })
        const prefersMonth = Intl.DateTimeFormat().resolvedOptions().locale === 'en-US'
        setPlan(planFor(table, guess(table, topics), known, prefersMonth))
      } finally {
        setReading(undefined)
      }
    })
  const change = (part: Partial<Plan>): void => {
    setPlan(before => before && { ...before, ...part })
    clear()
  }
  const restart = (): void => {
    setStarted(undefined)
    setFile(undefined)
    setPlan(undefined)
  }
  return (
    <Page
      title={t.contacts.importTitle}
      description={t.contacts.importHint}
      above={<BackLink to="/contacts">{t.contacts.title}</BackLink>}
    >
      {error !== undefined && <ErrorNote error={error} takesFocus />}
      {started ? (
        <Report {...started} onAnother={restart} />
      ) : (
        <>
          <FileChoice
            name={file?.file.name}
            rows={reading ?? file?.table.rows.length}
            reads={reading !== undefined}
            onChoose={choose}
          />
          {file && plan && (
            <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
              <div className="min-w-0 space-y-6">
                <Mapping table={file.table} plan={plan} known={known} topics={topics} onChange={change} />
                <Preview table={file.table} plan={plan} onChange={change} />
              </div>
              <Choices
                rows={file.table.rows.length}
                name={file.file.name}
                plan={plan}
                topics={topics}
                busy={busy}
                onChange={change}
                onStart={() => run(async () => setStarted(await upload(file, plan)))}
              />
            </div>
          )}
        </>
      )}
    </Page>
  )
}

function useKnownFields(): KnownFields {
  const fields = useQuery(fieldsQuery).data?.fields ?? []
  return new Map(
    fields.flatMap(({ field, type, isCustom }): [string, FieldKind][] =>
      isCustom ? [[field.slice('data.'.length), type]] : [],
    ),
  )
}

async function upload({ file, table }: Chosen, plan: Plan): Promise<Started> {
  const segmentId = plan.segment.trim() === '' ? undefined : await createSegment(plan.segment.trim())
  const { columns, types } = partsOf(table, plan.columns)
  const form = new FormData()
  form.set(
    'file',
    file.type.startsWith('text/csv') ? file : new File([file], file.name, { type: 'text/csv' }),
  )
  const parts: Record<string, string | undefined> = {
    columns: JSON.stringify(columns),
    types: JSON.stringify(types),
    misfits: plan.misfits,
    existing: plan.existing,
    // Where a column says it, an empty cell is no agreement.
    consent: plan.consent === 'given' ? 'given' : 'none',
    consentSource: plan.consent === 'none' ? undefined : plan.consentSource.trim() || undefined,
    consentDate: plan.consent === 'none' ? undefined : plan.consentDate || undefined,
    topics: plan.topics.length > 0 ? plan.topics.join(',') : undefined,
    segmentId,
  }
  for (const [name, value] of Object.entries(parts)) if (value !== undefined) form.set(name, value)
  const queued = await answer(
    api.POST('/contacts/import', { body: form as unknown as { file: string }, bodySerializer: body => body }),
  )
  return { jobId: queued!.jobId, segmentId }
}

async function createSegment(name: string): Promise<string> {
  const segment = await answer(api.POST('/segments', { body: { name, type: 'STATIC' } }))
  void refresh('segments')
  return segment!.id
}

interface FileChoiceProps {
  name: string | undefined
  rows: number | undefined
  reads: boolean
  onChoose: (file: File | undefined) => void
}

function FileChoice({ name, rows, reads, onChoose }: FileChoiceProps) {
  const [input, setInput] = useState<HTMLInputElement | null>(null)
  return (
    <Card>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut; the button does the same. */}
      <div
        className={
          name
            ? 'flex flex-wrap items-center gap-3'
            : 'flex flex-col items-center gap-3 rounded-lg border border-dashed border-edge px-4 py-8 text-center'
        }
        onDragOver={event => event.preventDefault()}
        onDrop={event => {
          event.preventDefault()
          onChoose(event.dataTransfer.files[0])
        }}
      >
        <FileUp className="size-7 stroke-[1.5] text-quiet" aria-hidden />
        {(name || reads) && (
          <p className="min-w-0 flex-1" role="status">
            <span className="font-medium wrap-anywhere">{name}</span>{' '}
            <span className="text-quiet tabular-nums">
              {reads ? t.contacts.readingRows(rows ?? 0) : t.contacts.rows(rows ?? 0)}
            </span>
          </p>
        )}
        <input
          ref={setInput}
          type="file"
          accept=".csv,text/csv"
          aria-label={t.contacts.chooseFile}
          className="sr-only"
          tabIndex={-1}
          onChange={event => onChoose(event.target.files?.[0])}
        />
        <Button variant={name ? 'plain' : 'strong'} busy={reads} onClick={() => input?.click()}>
          {name ? t.contacts.another : t.contacts.chooseFile}
        </Button>
      </div>
    </Card>
  )
}
