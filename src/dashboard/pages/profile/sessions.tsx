// Where one is signed in: sessions are ended one by one, all others together, or all of them.

import { useInfiniteQuery } from '@tanstack/react-query'
import { answer, api, type Schemas } from '../../api/client'
import { cursorQuery, read } from '../../api/queries'
import { leaveFor } from '../../app/page-address'
import { refresh } from '../../app/session'
import { t } from '../../texts'
import { Badge } from '../../ui/badge'
import { ConfirmButton } from '../../ui/confirm'
import { formatDateTime, formatRelative } from '../../ui/format'
import { Loaded } from '../../ui/loading'
import { MoreButton } from '../../ui/more-button'
import { Card } from '../../ui/page'
import { toast } from '../../ui/toast'

type Session = Schemas['Session']

const sessionsQuery = cursorQuery(['sessions'], (cursor, signal) =>
  read('/users/@me/sessions', { query: { cursor } }, signal),
)

export function Sessions() {
  const query = useInfiniteQuery(sessionsQuery)
  return (
    <Card title={t.profile.sessions} description={t.profile.sessionsHint}>
      <Loaded query={query}>
        {({ pages }) => {
          const sessions = pages.flatMap(page => page.data)
          return (
            <>
              <ul className="-mt-3 divide-y divide-line">
                {sessions.map(session => (
                  <Row key={session.id} session={session} />
                ))}
              </ul>
              <MoreButton query={query} />
              <div className="flex flex-wrap gap-2 border-t border-line pt-4">
                {sessions.length > 1 && <EndOthers />}
                <EndAll />
              </div>
            </>
          )
        }}
      </Loaded>
    </Card>
  )
}

function Row({ session: { id, current, agent, address, createdAt, lastSeenAt } }: { session: Session }) {
  const seen = current ? undefined : t.profile.seen(formatRelative(lastSeenAt))
  const facts = [address, t.profile.signedInAt(formatDateTime(createdAt)), seen]
  return (
    <li className="flex min-h-14 flex-wrap items-center gap-x-4 gap-y-1.5 py-2.5">
      <div className="min-w-0 flex-1 basis-60">
        <p className="truncate font-medium">{agent ?? t.profile.unknownAgent}</p>
        <p className="text-xs text-quiet">{facts.filter(fact => fact).join(' · ')}</p>
      </div>
      {current ? <Badge tone="good">{t.profile.thisOne}</Badge> : <EndOne id={id} />}
    </li>
  )
}

function EndOne({ id }: { id: string }) {
  const end = async (): Promise<void> => {
    await answer(api.DELETE('/users/@me/sessions/{sessionId}', { params: { path: { sessionId: id } } }))
    await refresh('sessions')
    toast(t.profile.sessionEnded)
  }
  return (
    <ConfirmButton
      variant="quiet"
      className="max-md:-ml-3"
      title={t.profile.endQuestion}
      consequence={t.profile.endHint}
      action={t.profile.end}
      onConfirm={end}
    />
  )
}

function EndOthers() {
  const end = async (): Promise<void> => {
    await answer(api.POST('/users/@me/sessions/end-others'))
    await refresh('sessions')
    toast(t.profile.othersEnded)
  }
  return (
    <ConfirmButton
      title={t.profile.othersQuestion}
      consequence={t.profile.othersHint}
      action={t.profile.endOthers}
      onConfirm={end}
    />
  )
}

function EndAll() {
  const end = async (): Promise<void> => {
    await answer(api.POST('/auth/logout-everywhere'))
    leaveFor(undefined, '/sign-in')
  }
  return (
    <ConfirmButton
      title={t.profile.signOutQuestion}
      consequence={t.profile.signOutHint}
      action={t.profile.signOutEverywhere}
      onConfirm={end}
    />
  )
}
