// What happened to a message, in order: every attempt with the reply of the other side, and what its reader did.
import { useQuery } from '@tanstack/react-query'
import { t } from '../../texts'
import { classes } from '../../ui/classes'
import { Time } from '../../ui/time'
import { messageEventsQuery, type WholeMail } from './data'

interface Moment {
  key: string
  at: string
  title: string
  detail?: string
  tone: 'good' | 'bad' | 'warn' | 'quiet'
}

const toneOf: Record<string, Moment['tone']> = { accepted: 'good', deferred: 'warn', refused: 'bad' }

export function Timeline({ mail }: { mail: WholeMail }) {
  const { data } = useQuery(messageEventsQuery(mail.id))
  const moments = [...momentsOf(mail), ...happenings(data?.events ?? [])].sort((a, b) =>
    a.at < b.at ? -1 : 1,
  )
  return (
    <ol className="space-y-4">
      {moments.map(({ key, at, title, detail, tone }) => (
        <li key={key} className="flex gap-3">
          <i className={classes('mt-1.5 size-2 shrink-0 rounded-full', dots[tone])} aria-hidden />
          <div className="min-w-0 flex-1">
            <p className="flex flex-wrap items-baseline justify-between gap-x-3">
              <span className="font-medium">{title}</span>
              <span className="text-xs text-quiet">
                <Time at={at} exact />
              </span>
            </p>
            {detail && <p className="text-quiet wrap-anywhere">{detail}</p>}
          </div>
        </li>
      ))}
    </ol>
  )
}

const dots = { good: 'bg-good', bad: 'bg-bad', warn: 'bg-warn', quiet: 'bg-edge' }

function momentsOf({ createdAt, tries, nextAttemptAt }: WholeMail): Moment[] {
  return [
    { key: 'made', at: createdAt, title: t.messages.accepted, tone: 'quiet' },
    ...tries.map(
      ({ attempt, transportName, outcome, response, finishedAt }): Moment => ({
        key: `try-${attempt}`,
        at: finishedAt,
        title: `${nameOfTry(attempt, transportName)}: ${t.messages.outcomes[outcome] ?? outcome}`,
        detail: response,
        tone: toneOf[outcome] ?? 'quiet',
      }),
    ),
    ...(nextAttemptAt
      ? [{ key: 'next', at: nextAttemptAt, title: t.messages.nextTry, tone: 'quiet' as const }]
      : []),
  ]
}

function nameOfTry(attempt: number, transportName: string | undefined): string {
  return transportName === undefined ? t.messages.tried(attempt) : t.messages.triedBy(attempt, transportName)
}

interface Happening {
  name: string
  data: Record<string, unknown> | null
  createdAt: string
}

const bad: ReadonlySet<string> = new Set(['email.bounce', 'email.complaint', 'email.failed'])

/** The events, except the one for sending: the attempts show that. */
function happenings(events: readonly Happening[]): Moment[] {
  return events
    .filter(event => event.name !== 'email.sent')
    .map(({ name, data, createdAt }, index) => ({
      key: `${index}-${name}`,
      at: createdAt,
      title: t.messages.events[name] ?? name,
      detail: [data?.['link'], data?.['response']].find(each => typeof each === 'string'),
      tone: bad.has(name) ? 'bad' : 'good',
    }))
}
