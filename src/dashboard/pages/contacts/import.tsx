// Importing many contacts from a CSV file: choose the file, map its columns, see what would happen, run it, see the result.

import { useQuery } from '@tanstack/react-query'
import { FileUp } from 'lucide-react'
import { useState } from 'react'
import { answer, api } from '../../api/client'
import { topicsQuery } from '../../api/topics'
import { t } from '../../texts'
import { BackLink } from '../../ui/back-link'
import { useAttempt } from '../../ui/busy'
import { Button } from '../../ui/button'
import { ErrorNote } from '../../ui/error-note'
import { Card, Page } from '../../ui/page'
import { decodeFile, guess, headingsFor, readTable, type Table, type Target } from './csv'
import { ChosenTopics, Mapping, Preview, Report } from './import-preview'

interface Chosen {
  /** As it is sent. */
  file: File
  table: Table
}

export function ImportContacts() {
  const [file, setFile] = useState<Chosen>()
  const [mapping, setMapping] = useState<Target[]>([])
  const [chosen, setChosen] = useState<string[]>([])
  const [jobId, setJobId] = useState<string>()
  const { data = [] } = useQuery(topicsQuery)
  const topics = data.filter(({ archived }) => !archived)
  const { busy, error, run, clear } = useAttempt()
  const choose = (chosen: File | undefined) =>
    run(async () => {
      if (!chosen) return
      const { text, file } = await decodeFile(chosen)
      const table = readTable(text)
      setFile({ file, table })
      setMapping(guess(table, topics))
    })
  const changeMapping = (next: Target[]): void => {
    setMapping(next)
    clear()
  }
  const start = () => run(async () => setJobId(await upload(file!, mapping, chosen)))
  return (
    <Page
      title={t.contacts.importTitle}
      description={t.contacts.importHint}
      above={<BackLink to="/contacts">{t.contacts.title}</BackLink>}
    >
      {error !== undefined && <ErrorNote error={error} takesFocus />}
      {jobId ? (
        <Report
          jobId={jobId}
          onAnother={() => {
            setJobId(undefined)
            setFile(undefined)
          }}
        />
      ) : (
        <>
          <FileChoice name={file?.file.name} rows={file?.table.rows.length} onChoose={choose} />
          {file && <Mapping table={file.table} mapping={mapping} topics={topics} onChange={changeMapping} />}
          {file && <ChosenTopics topics={topics} chosen={chosen} onChange={setChosen} />}
          {file && <Preview table={file.table} mapping={mapping} busy={busy} onStart={start} />}
        </>
      )}
    </Page>
  )
}

async function upload(
  { file, table }: Chosen,
  mapping: readonly Target[],
  topics: readonly string[],
): Promise<string> {
  const form = new FormData()
  form.set(
    'file',
    file.type.startsWith('text/csv') ? file : new File([file], file.name, { type: 'text/csv' }),
  )
  form.set('columns', JSON.stringify(headingsFor(table, mapping)))
  if (topics.length > 0) form.set('topics', topics.join(','))
  const queued = await answer(
    api.POST('/contacts/import', { body: form as unknown as { file: string }, bodySerializer: body => body }),
  )
  return queued!.jobId
}

interface FileChoiceProps {
  name?: string
  rows?: number
  onChoose: (file: File | undefined) => void
}

function FileChoice({ name, rows, onChoose }: FileChoiceProps) {
  const [input, setInput] = useState<HTMLInputElement | null>(null)
  return (
    <Card>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut; the button does the same. */}
      <div
        className="flex flex-col items-center gap-3 rounded-lg border border-dashed border-edge px-4 py-8 text-center"
        onDragOver={event => event.preventDefault()}
        onDrop={event => {
          event.preventDefault()
          onChoose(event.dataTransfer.files[0])
        }}
      >
        <FileUp className="size-7 stroke-[1.5] text-quiet" aria-hidden />
        {name && (
          <p>
            <span className="font-medium">{name}</span>{' '}
            <span className="text-quiet">{t.contacts.rows(rows ?? 0)}</span>
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
        <Button variant={name ? 'plain' : 'strong'} onClick={() => input?.click()}>
          {name ? t.contacts.another : t.contacts.chooseFile}
        </Button>
      </div>
    </Card>
  )
}
