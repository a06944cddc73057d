// The steps of an import: what each column of the file becomes, what the import would do, judged by its first rows, and its progress with
// its result.
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { answer, api, type Schemas } from '../../api/client'
import type { Topic } from '../../api/topics'
import { refresh } from '../../app/session'
import { t } from '../../texts'
import { Button } from '../../ui/button'
import { ErrorNote } from '../../ui/error-note'
import { CheckField, inputClass } from '../../ui/field'
import { formatNumber } from '../../ui/format'
import { Loaded } from '../../ui/loading'
import { Card } from '../../ui/page'
import { Progress } from '../../ui/progress'
import { saveFile } from '../../ui/save-file'
import { mayBeConsent, type Table, type Target, targets, writeRow } from './csv'

/** How many rows are looked up; as many as the server takes at once. */
const looked = 500

const addressForm = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/

interface PreviewProps {
  table: Table
  mapping: readonly Target[]
  busy: boolean
  onStart: () => void
}

export function Preview({ table: { rows }, mapping, busy, onStart }: PreviewProps) {
  const column = mapping.indexOf('email')
  const addresses = rows.slice(0, looked).map(row => row[column]?.trim().toLowerCase() ?? '')
  const whole = addresses.filter(address => addressForm.test(address) && address.length <= 254)
  const valid = [...new Set(whole)]
  const query = useQuery({
    queryKey: ['contacts', 'lookup', valid],
    queryFn: ({ signal }) => answer(api.POST('/contacts/lookup', { body: { emails: valid }, signal })),
    enabled: valid.length > 0,
  })
  if (column === -1) return <p className="text-warn">{t.contacts.noEmailColumn}</p>
  return (
    <Card title={t.contacts.preview} description={t.contacts.ofFirst(Math.min(looked, rows.length))}>
      {valid.length === 0 ? (
        <Counts refused={addresses.length} />
      ) : (
        <Loaded query={query}>
          {found => (
            <Counts
              created={found?.notFound.length}
              updated={found?.found.length}
              repeated={whole.length - valid.length}
              refused={addresses.length - whole.length}
            />
          )}
        </Loaded>
      )}
      <p className="mt-5">{t.contacts.importConsent}</p>
      <p className="mt-1 text-quiet">{t.contacts.importStartsNone}</p>
      <Button variant="strong" className="mt-3" busy={busy} disabled={rows.length === 0} onClick={onStart}>
        {t.contacts.startImport(rows.length)}
      </Button>
    </Card>
  )
}

interface CountsProps {
  created?: number | undefined
  updated?: number | undefined
  repeated?: number
  refused: number
}

function Counts({ repeated = 0, ...props }: CountsProps) {
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
      <Figure name={t.contacts.wouldCreate} value={props.created ?? 0} />
      <Figure name={t.contacts.wouldUpdate} value={props.updated ?? 0} />
      {repeated > 0 && <Figure name={t.contacts.wouldRepeat} value={repeated} />}
      <Figure name={t.contacts.wouldRefuse} value={props.refused} />
    </dl>
  )
}

export function Figure({ name, value }: { name: string; value: number }) {
  return (
    <div>
      <dt className="text-quiet">{name}</dt>
      <dd className="text-xl font-semibold tracking-tight tabular-nums">{formatNumber(value)}</dd>
    </div>
  )
}

type Result = NonNullable<Schemas['ImportJob']['result']>

/** The progress of an import, and its result. */
export function Report({ jobId, onAnother }: { jobId: string; onAnother: () => void }) {
  const { data, error } = useQuery({
    queryKey: ['contacts', 'import', jobId],
    queryFn: ({ signal }) =>
      answer(api.GET('/contacts/import/{jobId}', { params: { path: { jobId } }, signal })),
    refetchInterval: ({ state }) => (isDone(state.data?.state) ? false : 700),
  })
  const done = isDone(data?.state)
  useEffect(() => {
    if (done) void refresh('contacts', 'list')
  }, [done])
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

interface MappingProps {
  table: Table
  mapping: readonly Target[]
  /** What a column may be about. */
  topics: readonly Topic[]
  onChange: (mapping: Target[]) => void
}

/** What each column of the file becomes. */
export function Mapping({ table: { names, rows }, mapping, topics, onChange }: MappingProps) {
  const set = (index: number, target: Target): void =>
    onChange(
      mapping.map((each, at) => {
        if (at === index) return target
        // Only one column can be the address, only one the subscription, and only one about each topic.
        return each === target && target !== 'field' && target !== 'leave' ? 'field' : each
      }),
    )
  return (
    <Card title={t.contacts.mapping} description={t.contacts.mappingHint}>
      <ul className="divide-y divide-line">
        {names.map((name, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: columns of a file have nothing but their place.
          <li key={index} className="grid grid-cols-[minmax(0,1fr)_11rem] items-center gap-3 py-2.5">
            <div className="min-w-0">
              <p className="truncate font-medium">{name || '–'}</p>
              <p className="truncate text-quiet">{rows[0]?.[index] ?? ''}</p>
              {mayBeConsent(name, mapping[index]!) && (
                <p className="text-warn">{t.contacts.perhapsConsent}</p>
              )}
            </div>
            <select
              aria-label={t.contacts.mapColumn(name)}
              className={inputClass}
              value={mapping[index]}
              onChange={event => set(index, event.target.value as Target)}
            >
              {targets.map(target => (
                <option key={target} value={target}>
                  {t.contacts.mapTo[target]}
                </option>
              ))}
              {isUnknownTopic(mapping[index]!, topics) && <option value={mapping[index]}>{name}</option>}
              {topics.length > 0 && (
                <optgroup label={t.topics.title}>
                  {topics.map(({ id, name: topic }) => (
                    <option key={id} value={`topic:${id}`}>
                      {topic}
                    </option>
                  ))}
                </optgroup>
              )}
            </select>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** The server will say that the project has no such topic. */
function isUnknownTopic(target: Target, topics: readonly Topic[]): boolean {
  return target.startsWith('topic:') && !topics.some(({ id }) => target === `topic:${id}`)
}

interface ChosenTopicsProps {
  topics: readonly Topic[]
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}

/** What everybody in the file wants. Nothing where the project has no topics. */
export function ChosenTopics({ topics, chosen, onChange }: ChosenTopicsProps) {
  if (topics.length === 0) return null
  return (
    <Card title={t.topics.title} description={t.contacts.topicsOfFile}>
      <div className="space-y-2">
        {topics.map(({ id, name }) => (
          <CheckField
            key={id}
            name={`topic-${id}`}
            label={name}
            checked={chosen.includes(id)}
            onChange={event =>
              onChange(event.target.checked ? [...chosen, id] : chosen.filter(each => each !== id))
            }
          />
        ))}
      </div>
    </Card>
  )
}
