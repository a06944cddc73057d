// What happened to a message, in order: every attempt with the reply of the other side, and what its reader did, which of its links were
// followed; and its state in a word.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { t } from '../../texts'
import { Badge, type Tone } from '../../ui/badge'
import { classes } from '../../ui/classes'
import { Card } from '../../ui/page'
import { Time } from '../../ui/time'
import type { Mail } from './data'
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

/** The links of a message, and how often people followed each. */
export function Links({ mail }: { mail: WholeMail }) {
  const { data } = useQuery(messageEventsQuery(mail.id))
  const links = useMemo(() => linksOf(mail.body), [mail.body])
  const clicked = (data?.events ?? []).flatMap(({ name, data }) =>
    name === 'email.click' ? [data?.['link']] : [],
  )
  const timesOf = (link: string): number => clicked.filter(each => each === link).length
  return (
    <Card title={t.words.links}>
      {links.length === 0 && <p className="text-quiet">{t.messages.noLinks}</p>}
      <ul className="divide-y divide-line">
        {links.map(({ href, text }) => (
          <li key={href} className="flex items-center justify-between gap-3 py-2.5">
            <div className="min-w-0">
              {text && <p className="truncate font-medium">{text}</p>}
              <a
                href={href}
                target="_blank"
                rel="noopener noreferrer"
                className="block truncate text-quiet underline decoration-edge underline-offset-2 hover:text-ink"
              >
                {href}
              </a>
            </div>
            <Badge tone={timesOf(href) > 0 ? 'accent' : 'neutral'}>{t.messages.clicks(timesOf(href))}</Badge>
          </li>
        ))}
      </ul>
    </Card>
  )
}

interface MailLink {
  href: string
  text: string
}

/** The links, each address once. A document that is only parsed loads and runs nothing. */
function linksOf(html: string): MailLink[] {
  const found = new Map<string, MailLink>()
  const parsed = new DOMParser().parseFromString(withoutStyles(html), 'text/html')
  for (const link of parsed.querySelectorAll('a[href]')) {
    const href = link.getAttribute('href')?.trim() ?? ''
    if (/^(https?|mailto):/i.test(href) && !found.has(href))
      found.set(href, { href, text: link.textContent?.trim() ?? '' })
  }
  return [...found.values()]
}

/**
 * The page's Content-Security-Policy allows no inline styles, and a browser complains about each, though nothing is drawn. A style that is
 * never closed takes all that follows with it.
 */
function withoutStyles(html: string): string {
  const [before, ...parts] = html.split(/<style/i)
  const behind = parts.map(part =>
    part
      .split(/<\/style>/i)
      .slice(1)
      .join(''),
  )
  return [before, ...behind].join('').replaceAll(/\sstyle\s*=\s*("[^"]*"|'[^']*')/gi, '')
}

const tones: Record<string, Tone> = {
  SENT: 'neutral',
  DELIVERED: 'good',
  OPENED: 'good',
  CLICKED: 'accent',
  BOUNCED: 'bad',
  COMPLAINED: 'bad',
  FAILED: 'bad',
}

/** The state of a message in a word. */
export function MailStatus({ mail: { status, reason } }: { mail: Pick<Mail, 'status' | 'reason'> }) {
  const isWaiting = status === 'PENDING' && reason === 'deferred'
  const word = isWaiting ? t.messages.retrying : (t.messages.statuses[status] ?? status)
  return <Badge tone={isWaiting ? 'warn' : tones[status]}>{word}</Badge>
}
