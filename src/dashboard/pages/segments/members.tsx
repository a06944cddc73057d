// Who is in a segment at the moment, who entered and who left it; members of a list can be added by pasting their addresses, and removed.
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { LogIn, LogOut, UsersRound } from 'lucide-react'
import { useState } from 'react'
import { answer, api, type Schemas } from '../../api/client'
import { mayWrite, refresh, useProject } from '../../app/session'
import { t } from '../../texts'
import { readAddresses } from '../../ui/addresses'
import { Badge } from '../../ui/badge'
import { useAttempt, useBusy } from '../../ui/busy'
import { Button } from '../../ui/button'
import { CopyButton } from '../../ui/copy'
import { type Column, DataTable, timeColumn } from '../../ui/data-table'
import { ErrorNote } from '../../ui/error-note'
import { CheckField, TextArea } from '../../ui/field'
import { NoRows } from '../../ui/list-page'
import { Card } from '../../ui/page'
import { Progress } from '../../ui/progress'
import { RowLink } from '../../ui/row-link'
import { RowList } from '../../ui/row-list'
import { Time } from '../../ui/time'
import { toast } from '../../ui/toast'
import { type Added, addMembers, historyQuery, membersQuery, portion, type Segment } from './data'

type Contact = Schemas['Contact']

export function Members({ segment: { id, type } }: { segment: Segment }) {
  const query = useInfiniteQuery(membersQuery(id))
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const all = query.data?.pages.flatMap(page => page.data) ?? []
  const emails = all.filter(contact => chosen.has(contact.id)).map(({ email }) => email)
  const isList = type === 'STATIC'
  const canWrite = mayWrite(useProject())
  const emptyHint = isList ? t.segments.nobodyOnList : t.segments.nobodyMatches
  return (
    <section aria-label={t.contacts.title} className="space-y-3">
      {emails.length > 0 && <Remove segmentId={id} emails={emails} onDone={() => setChosen(new Set())} />}
      <DataTable
        label={t.contacts.title}
        query={query}
        columns={columns()}
        rowKey={contact => contact.id}
        selection={isList && canWrite ? { chosen, onChange: setChosen, label: t.words.choose } : undefined}
        empty={<NoRows words={{ empty: t.segments.nobody, emptyHint }} icon={UsersRound} />}
      />
    </section>
  )
}

const columns = (): Column<Contact>[] => [
  {
    id: 'email',
    header: t.words.address,
    grows: true,
    cell: ({ id, email }) => (
      <RowLink to="/contacts/$id" params={{ id }}>
        {email}
      </RowLink>
    ),
  },
  {
    id: 'subscribed',
    header: t.words.subscription,
    cell: ({ subscribed }) => (
      <Badge tone={subscribed ? 'good' : 'neutral'}>
        {t.contacts.states[subscribed ? 'subscribed' : 'unsubscribed']}
      </Badge>
    ),
  },
  timeColumn(t.segments.addedAt, ({ createdAt }) => createdAt),
]

function Remove({ segmentId, emails, onDone }: { segmentId: string; emails: string[]; onDone: () => void }) {
  const [busy, run] = useBusy()
  const again = () => void refresh('segments')
  const remove = async (): Promise<void> => {
    const params = { path: { id: segmentId } }
    for (let from = 0; from < emails.length; from += portion) {
      const body = { emails: emails.slice(from, from + portion) }
      await answer(api.DELETE('/segments/{id}/members', { params, body }))
    }
    const undo = () => void addMembers(segmentId, emails, false).then(again)
    toast(t.segments.removed(emails.length), { label: t.words.undo, run: undo })
    onDone()
  }
  return (
    <div className="flex flex-wrap items-center gap-2 rounded-lg border border-line bg-sheet px-4 py-2">
      <span className="mr-auto font-medium">{t.contacts.chosen(emails.length)}</span>
      <Button busy={busy} onClick={() => run(remove).finally(again)}>
        {t.segments.remove}
      </Button>
    </div>
  )
}

/** Who entered a tracked segment and who left it. */
export function History({ segmentId }: { segmentId: string }) {
  const query = useInfiniteQuery(historyQuery(segmentId))
  return (
    <Card title={t.segments.history} description={t.segments.historyHint}>
      <RowList query={query} as="ol" className="space-y-2" empty={t.segments.noHistory} moreClass="mt-4">
        {({ id, change, contactId, email, at }) => (
          <li key={id} className="flex items-center gap-2">
            <span className="text-quiet [&>svg]:size-4" title={t.segments.changes[change]}>
              {change === 'entry' ? <LogIn aria-hidden /> : <LogOut aria-hidden />}
              <span className="sr-only">{t.segments.changes[change]}</span>
            </span>
            <span className="min-w-0 flex-1 truncate">
              {contactId && email ? (
                <Link to="/contacts/$id" params={{ id: contactId }} className="hover:underline">
                  {email}
                </Link>
              ) : (
                <span className="text-quiet">{t.segments.goneContact}</span>
              )}
            </span>
            <span className="text-xs text-quiet">
              <Time at={at} />
            </span>
          </li>
        )}
      </RowList>
    </Card>
  )
}

/** Adding people to a list by pasting their addresses, with a report of the result. */
export function Paste({ segmentId }: { segmentId: string }) {
  const [text, setText] = useState('')
  const [makesNew, setMakesNew] = useState(false)
  const [done, setDone] = useState<number>()
  const [report, setReport] = useState<Added>()
  const { error, run, clear } = useAttempt()
  const emails = readAddresses(text)
  const add = async (): Promise<void> => {
    setReport(undefined)
    setDone(0)
    await run(async () => {
      setReport(await addMembers(segmentId, emails, makesNew, setDone))
      setText('')
    })
    setDone(undefined)
    void refresh('segments')
  }
  return (
    <Card title={t.segments.paste} description={t.segments.pasteHint}>
      <div className="space-y-3">
        <TextArea
          name="addresses"
          label={t.words.addresses}
          rows={3}
          value={text}
          onChange={event => {
            setText(event.target.value)
            clear()
          }}
        />
        <CheckField
          name="createMissing"
          label={t.segments.createMissing}
          hint={t.contacts.subscribesHint}
          checked={makesNew}
          onChange={event => setMakesNew(event.target.checked)}
        />
        {done !== undefined && (
          <Progress label={t.words.adding} percent={Math.round((100 * done) / emails.length)} />
        )}
        {error !== undefined && <ErrorNote error={error} takesFocus />}
        {report && <Report report={report} />}
        <Button disabled={emails.length === 0} busy={done !== undefined} onClick={add}>
          {t.segments.add(emails.length)}
        </Button>
      </div>
    </Card>
  )
}

function Report({ report: { added, created, notFound } }: { report: Added }) {
  return (
    <div role="status" className="space-y-2 rounded-lg bg-sunken px-3.5 py-3">
      <p className="font-medium">{t.segments.added(added, created)}</p>
      {notFound.length > 0 && (
        <>
          <p className="flex flex-wrap items-center gap-2">
            {t.segments.notFound(notFound.length)} <CopyButton text={notFound.join('\n')} />
          </p>
          <ul className="max-h-40 overflow-y-auto text-quiet">
            {notFound.slice(0, 200).map(email => (
              <li key={email} className="wrap-anywhere">
                {email}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}
