// Who is in a segment at the moment; members of a list can be removed.
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { UsersRound } from 'lucide-react'
import { useState } from 'react'
import { answer, api, type Schemas } from '../../api/client'
import { t } from '../../texts'
import { Badge } from '../../ui/badge'
import { useBusy } from '../../ui/busy'
import { Button } from '../../ui/button'
import { type Column, DataTable } from '../../ui/data-table'
import { Empty } from '../../ui/page'
import { Time } from '../../ui/time'
import { toast } from '../../ui/toast'
import { addMembers } from './add-members'
import { membersQuery, type Segment } from './data'

type Contact = Schemas['Contact']

export function Members({ segment: { id, type } }: { segment: Segment }) {
  const query = useInfiniteQuery(membersQuery(id))
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const all = query.data?.pages.flatMap(page => page.data) ?? []
  const emails = all.filter(contact => chosen.has(contact.id)).map(({ email }) => email)
  const isList = type === 'STATIC'
  return (
    <section aria-label={t.contacts.title} className="space-y-3">
      {emails.length > 0 && <Remove segmentId={id} emails={emails} onDone={() => setChosen(new Set())} />}
      <DataTable
        label={t.contacts.title}
        query={query}
        columns={columns()}
        rowKey={contact => contact.id}
        selection={isList ? { chosen, onChange: setChosen, label: t.words.choose } : undefined}
        empty={
          <Empty icon={<UsersRound aria-hidden />} title={t.segments.nobody}>
            {isList ? t.segments.nobodyOnList : t.segments.nobodyMatches}
          </Empty>
        }
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
      <Link to="/contacts/$id" params={{ id }} className="block truncate py-2 font-medium hover:underline">
        {email}
      </Link>
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
  {
    id: 'createdAt',
    header: t.segments.addedAt,
    align: 'right',
    wideOnly: true,
    cell: ({ createdAt }) => <Time at={createdAt} quiet />,
  },
]

interface RemoveProps {
  segmentId: string
  emails: string[]
  onDone: () => void
}

function Remove({ segmentId, emails, onDone }: RemoveProps) {
  const queries = useQueryClient()
  const [busy, run] = useBusy()
  const again = () => void queries.invalidateQueries({ queryKey: ['segments'] })
  const remove = async (): Promise<void> => {
    const params = { path: { id: segmentId } }
    for (let from = 0; from < emails.length; from += 500)
      await answer(
        api.DELETE('/segments/{id}/members', { params, body: { emails: emails.slice(from, from + 500) } }),
      )
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
