// Changes many contacts at once, those that are ticked or all that match: a job does it, and its progress is shown until it is done.
import { useState } from 'react'
import { answer, api } from '../../api/client'
import { t } from '../../texts'
import { Button } from '../../ui/button'
import { Confirm } from '../../ui/confirm'
import { AddToList } from './add-to-list'
import { BulkProgress } from './bulk-progress'
import type { bulkQueryOf, Contact } from './data'

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
      <Button look="danger" onClick={ask('delete')}>
        {t.contacts.bulk.delete}
      </Button>
      <AddToList open={picksList} onClose={() => setPicksList(false)} number={number} onAdd={addTo} />
      <Confirm
        open={asks !== undefined}
        onClose={() => setAsks(undefined)}
        title={asks ? t.contacts.bulkTitles[asks](number) : ''}
        consequence={asks ? t.contacts.bulkHints[asks] : ''}
        action={asks ? t.contacts.bulk[asks] : ''}
        actionLook={asks === 'subscribe' ? 'strong' : 'danger'}
        onConfirm={async () => asks && (await start(asks))}
      />
    </div>
  )
}
