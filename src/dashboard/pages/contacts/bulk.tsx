// Changes many contacts at once, those that are ticked or all that match: a job does it, its progress is shown until it is done, and where
// the change can be undone, that is offered.

import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { answer, api, type Schemas } from '../../api/client'
import { refresh } from '../../app/session'
import { t } from '../../texts'
import { Button } from '../../ui/button'
import { Confirm } from '../../ui/confirm'
import { Dialog } from '../../ui/dialog'
import { ErrorNote } from '../../ui/error-note'
import { SelectField, TextField } from '../../ui/field'
import { Form, type Values } from '../../ui/form'
import { DialogButtons } from '../../ui/form-dialog'
import { Loaded } from '../../ui/loading'
import { Progress } from '../../ui/progress'
import { toast } from '../../ui/toast'
import type { bulkQueryOf, Contact } from './data'
import { listsQuery } from './data'

type Operation = 'subscribe' | 'unsubscribe' | 'delete'

const paths = {
  subscribe: '/contacts/bulk-subscribe',
  unsubscribe: '/contacts/bulk-unsubscribe',
  delete: '/contacts/bulk-delete',
} as const

/** How many contacts the API changes in one job. */
const maxIds = 1_000
const maxMatches = 10_000

interface BulkBarProps {
  chosen: readonly Contact[]
  /** How many contacts match the filters, and the query for a job; none without filters, which would mean everybody. */
  matches: number
  query: ReturnType<typeof bulkQueryOf>
  onDone: () => void
}

export function BulkBar({ chosen, matches, query, onDone }: BulkBarProps) {
  const [jobId, setJobId] = useState<string>()
  const [asks, setAsks] = useState<Operation>()
  const [picksList, setPicksList] = useState(false)
  const [takesAll, setTakesAll] = useState(false)
  const wanted = takesAll && query ? query : { contactIds: chosen.slice(0, maxIds).map(({ id }) => id) }
  const number = takesAll ? Math.min(matches, maxMatches) : Math.min(chosen.length, maxIds)
  const start = async (operation: Operation): Promise<void> => {
    setJobId((await answer(api.POST(paths[operation], { body: wanted })))!.jobId)
  }
  const addTo = async (segmentId: string): Promise<void> => {
    const body = { ...wanted, segmentId }
    setJobId((await answer(api.POST('/contacts/bulk-add-to-segment', { body })))!.jobId)
  }
  if (jobId) return <BulkProgress jobId={jobId} onDone={onDone} />
  const ask = (operation: Operation) => () => setAsks(operation)
  return (
    <div className="flex flex-wrap items-center gap-2 rounded-lg border border-line bg-sheet px-4 py-2">
      <span className="mr-auto flex flex-wrap items-center gap-x-3">
        <span className="font-medium">{t.contacts.chosen(number)}</span>
        {query && !takesAll && matches > chosen.length && (
          <button
            type="button"
            className="min-h-8 text-accent hover:underline max-md:min-h-11"
            onClick={() => setTakesAll(true)}
          >
            {t.contacts.chooseAll(matches)}
          </button>
        )}
        {takesAll && matches > maxMatches && (
          <span className="text-quiet">{t.contacts.firstOf(maxMatches)}</span>
        )}
      </span>
      <Button onClick={ask('subscribe')}>{t.contacts.bulk.subscribe}</Button>
      <Button onClick={ask('unsubscribe')}>{t.contacts.bulk.unsubscribe}</Button>
      <Button onClick={() => setPicksList(true)}>{t.contacts.bulk.add}</Button>
      <Button variant="danger" onClick={ask('delete')}>
        {t.contacts.bulk.delete}
      </Button>
      <AddToList open={picksList} onClose={() => setPicksList(false)} number={number} onAdd={addTo} />
      <Confirm
        open={asks !== undefined}
        onClose={() => setAsks(undefined)}
        title={asks ? t.contacts.bulkTitles[asks](number) : ''}
        consequence={asks ? t.contacts.bulkHints[asks] : ''}
        action={asks ? t.contacts.bulk[asks] : ''}
        actionVariant={asks === 'subscribe' ? 'strong' : 'danger'}
        onConfirm={async () => asks && (await start(asks))}
      />
    </div>
  )
}

/** The progress of a bulk change, and its result. Where it can be undone, that is offered. */
export function BulkProgress({ jobId, onDone }: { jobId: string; onDone: () => void }) {
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
      canUndo ? { label: t.words.undo, run: () => void undo(jobId, result.operation) } : undefined,
    )
    void refreshAll()
    onDone()
  }, [result, data?.failedReason, onDone, jobId])
  if (error) return <ErrorNote error={error} />
  return <Progress label={t.contacts.bulkRuns} percent={data?.progress ?? 0} />
}

const fetchJob = (jobId: string, signal?: AbortSignal) =>
  answer(api.GET('/contacts/bulk/{jobId}', { params: { path: { jobId } }, signal }))

function wordsOf(result: Schemas['BulkJob']['result'] & {}): string {
  const { operation, successCount, unchangedCount, failureCount } = result
  if (operation === 'add' && failureCount === 0) return t.contacts.addedTo(successCount, unchangedCount)
  return t.contacts.bulkDone(successCount, failureCount)
}

const refreshAll = () => Promise.all([refresh('contacts', 'list'), refresh('segments')])

/** Undoes what a job changed. The bar that started it is gone by then. */
async function undo(jobId: string, operation: string): Promise<void> {
  const undoing = (await answer(api.POST('/contacts/bulk/{jobId}/undo', { params: { path: { jobId } } })))!
  toast(t.contacts.undoing[operation as keyof typeof t.contacts.undoing])
  while (!(await fetchJob(undoing.jobId))!.result) await new Promise(resolve => setTimeout(resolve, 700))
  await refreshAll()
}

interface AddToListProps {
  open: boolean
  onClose: () => void
  /** How many contacts. */
  number: number
  onAdd: (segmentId: string) => Promise<unknown>
}

/** Which list the selected contacts are added to: an existing one, or a new one. */
export function AddToList({ open, onClose, number, onAdd }: AddToListProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t.contacts.addTitle(number)}
      description={t.contacts.addHint}
    >
      <Choice onClose={onClose} onAdd={onAdd} />
    </Dialog>
  )
}

function Choice({ onClose, onAdd }: Pick<AddToListProps, 'onClose' | 'onAdd'>) {
  const query = useQuery(listsQuery)
  const [chosen, setChosen] = useState<string>()
  // Kept if the next request is refused: trying again with the same name would make a second list.
  const [made, setMade] = useState<string>()
  return (
    <Loaded query={query}>
      {lists => {
        const list = chosen ?? lists[0]?.id ?? ''
        const add = async ({ name = '' }: Values): Promise<void> => {
          const id = list || made || (await makeList(name))
          if (!list) setMade(id)
          await onAdd(id)
          onClose()
        }
        return (
          <Form onSubmit={add}>
            {lists.length > 0 && (
              <SelectField
                name="segmentId"
                label={t.contacts.list}
                value={list}
                options={[...lists.map(({ id, name }) => [id, name] as const), ['', t.contacts.newList]]}
                onChange={event => setChosen(event.target.value)}
              />
            )}
            {list === '' && (
              <TextField
                name="name"
                label={t.contacts.newListName}
                required
                maxLength={100}
                autoComplete="off"
                onChange={() => setMade(undefined)}
              />
            )}
            <DialogButtons onCancel={onClose}>{t.contacts.bulk.add}</DialogButtons>
          </Form>
        )
      }}
    </Loaded>
  )
}

async function makeList(name: string): Promise<string> {
  return (await answer(api.POST('/segments', { body: { name, type: 'STATIC' } })))!.id
}
