// What a contact's page shows beside its data: the newest emails to it, what it did, the segments and workflows it is in, its topics, and
// how its consent came about.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ExternalLink } from 'lucide-react'
import { useState } from 'react'
import type { Schemas } from '../../api/client'
import { answer, api } from '../../api/client'
import { mayWrite, refresh, useProject } from '../../app/session'
import { t } from '../../texts'
import { Badge, type Tone } from '../../ui/badge'
import { CopyButton } from '../../ui/copy'
import { Card } from '../../ui/page'
import { RowList } from '../../ui/row-list'
import { Time } from '../../ui/time'
import { toast } from '../../ui/toast'
import {
  type Contact,
  consentQuery,
  contactEventsQuery,
  contactMailsQuery,
  contactSegmentsQuery,
  contactTopicsQuery,
  contactWorkflowsQuery,
  linksQuery,
} from './data'

interface CardProps {
  contactId: string
}

const troubled = new Set(['FAILED', 'BOUNCED', 'COMPLAINED'])

export function Mails({ contactId }: CardProps) {
  const query = useQuery({ ...contactMailsQuery(contactId), select: ({ data }) => data })
  return (
    <Card title={t.messages.title}>
      <RowList query={query} className="divide-y divide-line" empty={t.contacts.noMails}>
        {({ id, subject, status, createdAt }) => (
          <li key={id} className="flex items-center gap-3 py-1">
            <Link
              to="/messages/$id"
              params={{ id }}
              className="min-w-0 flex-1 truncate py-1.5 font-medium hover:underline"
            >
              {subject}
            </Link>
            <Badge tone={troubled.has(status) ? 'bad' : 'neutral'}>
              {t.messages.statuses[status] ?? status}
            </Badge>
            <span className="text-xs text-quiet max-md:hidden">
              <Time at={createdAt} />
            </span>
          </li>
        )}
      </RowList>
    </Card>
  )
}

export function Events({ contactId }: CardProps) {
  const query = useInfiniteQuery(contactEventsQuery(contactId))
  return (
    <Card title={t.words.timeline}>
      <RowList query={query} as="ol" className="space-y-3.5" empty={t.words.nothingYet} moreClass="mt-4">
        {({ id, name, data, createdAt }) => (
          <li key={id} className="flex gap-3">
            <i className="mt-1.5 size-2 shrink-0 rounded-full bg-edge" aria-hidden />
            <div className="min-w-0 flex-1">
              <p className="flex items-baseline justify-between gap-3">
                <span className="font-medium wrap-anywhere">{t.messages.events[name] ?? name}</span>
                <span className="text-xs text-quiet">
                  <Time at={createdAt} />
                </span>
              </p>
              {data && <p className="truncate text-quiet">{gist(data)}</p>}
            </div>
          </li>
        )}
      </RowList>
    </Card>
  )
}

/** The subject if the event is about a message; otherwise the plain values. */
function gist(data: Record<string, unknown>): string {
  if (typeof data['subject'] === 'string') return data['subject']
  return Object.entries(data)
    .filter(([, value]) => typeof value !== 'object')
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join(' · ')
}

export function Segments({ contactId }: CardProps) {
  const query = useQuery({ ...contactSegmentsQuery(contactId), select: ({ segments }) => segments })
  return (
    <Card title={t.segments.title}>
      <RowList query={query} className="flex flex-wrap gap-1.5" empty={t.contacts.noSegments}>
        {({ id, name }) => (
          <li key={id} className="min-w-0">
            <Link
              to="/segments/$id"
              params={{ id }}
              className="inline-flex min-h-7 max-w-full items-center truncate rounded-full bg-hover px-2.5 hover:underline max-md:min-h-11"
            >
              {name}
            </Link>
          </li>
        )}
      </RowList>
    </Card>
  )
}

const tones: Record<string, Tone> = { RUNNING: 'accent', WAITING: 'accent', COMPLETED: 'good', FAILED: 'bad' }

export function Workflows({ contactId }: CardProps) {
  const query = useQuery({ ...contactWorkflowsQuery(contactId), select: ({ executions }) => executions })
  return (
    <Card title={t.workflows.title}>
      <RowList query={query} className="space-y-2.5" empty={t.contacts.noWorkflows}>
        {({ id, workflow, status, startedAt }) => (
          <li key={id} className="flex items-center gap-2">
            <span className="min-w-0 flex-1 truncate font-medium">{workflow.name}</span>
            <Badge tone={tones[status]}>{t.contacts.executions[status] ?? status}</Badge>
            <span className="text-xs text-quiet">
              <Time at={startedAt} />
            </span>
          </li>
        )}
      </RowList>
    </Card>
  )
}

type Decided = Schemas['TopicOfContact']

/** How the topics of the project stand for a contact, and a switch for each. Nothing where the project has none. */
export function Topics({ contact }: { contact: Contact }) {
  const { data } = useQuery(contactTopicsQuery(contact.id))
  const shown = (data?.data ?? []).filter(({ archived, decidedAt }) => !archived || decidedAt)
  if (shown.length === 0) return null
  return (
    <Card title={t.topics.title} description={contact.subscribed ? undefined : t.topics.allOff}>
      <ul className="space-y-3">
        {shown.map(topic => (
          <Row key={topic.id} contactId={contact.id} topic={topic} />
        ))}
      </ul>
    </Card>
  )
}

function Row({ contactId, topic }: { contactId: string; topic: Decided }) {
  const { name, subscribed, decidedAt, archived } = topic
  const [asked, decide] = useDeciding(contactId, topic)
  const canWrite = mayWrite(useProject())
  const state = archived ? t.topics.archived : subscribed ? t.topics.states.in : t.topics.states.out
  return (
    <li>
      <label className="flex min-h-9 items-start gap-2.5 max-md:min-h-11">
        <input
          type="checkbox"
          className="mt-0.5 size-4 shrink-0 accent-accent"
          checked={asked ?? subscribed}
          disabled={asked !== undefined || !canWrite}
          onChange={event => void decide(event.target.checked)}
        />
        <span className="min-w-0">
          <span className="wrap-anywhere block font-medium">{name}</span>
          <span className="text-xs text-quiet">
            {state}
            {decidedAt ? (
              <>
                {' · '}
                <Time at={decidedAt} exact />
              </>
            ) : (
              ` · ${t.topics.byItself}`
            )}
          </span>
        </span>
      </label>
    </li>
  )
}

/** What was asked for and is not known to be done yet. */
function useDeciding(contactId: string, { id, name }: Decided) {
  const [asked, setAsked] = useState<boolean>()
  const decide = async (subscribed: boolean): Promise<void> => {
    setAsked(subscribed)
    try {
      const params = { path: { id: contactId } }
      await answer(api.PUT('/contacts/{id}/topics', { params, body: { topics: [{ id, subscribed }] } }))
      const undo = { label: t.words.undo, run: () => void decide(!subscribed) }
      toast(subscribed ? t.topics.joined(name) : t.topics.left(name), undo)
      await refresh('contacts', 'topics', contactId)
      void refresh('contacts', 'consent', contactId)
    } finally {
      setAsked(undefined)
    }
  }
  return [asked, decide] as const
}

/** How the contact's consent came about, and the page where the contact decides that. */
export function Consent({ contactId }: { contactId: string }) {
  const query = useInfiniteQuery(consentQuery(contactId))
  return (
    <Card title={t.contacts.consent}>
      <div className="space-y-4">
        <RowList query={query} as="ol" className="space-y-3" empty={t.contacts.noConsent}>
          {change => <Change key={change.version} change={change} />}
        </RowList>
        <Preferences contactId={contactId} />
      </div>
    </Card>
  )
}

function Change({ change }: { change: Schemas['ConsentChange'] }) {
  const { at, topic, after, source, actor, actorEmail, wording } = change
  const who = actorEmail ?? (source === 'workflow' ? null : actor)
  return (
    <li>
      <p className="flex items-baseline justify-between gap-3">
        <span className="font-medium">
          {topic && `${topic}: `}
          {t.contacts.consentStates[after]}
        </span>
        <span className="text-xs text-quiet">
          <Time at={at} exact />
        </span>
      </p>
      <p className="wrap-anywhere text-quiet">
        {t.contacts.consentSources[source]}
        {who && ` · ${who}`}
      </p>
      {wording && <p className="wrap-anywhere text-quiet">“{wording}”</p>}
    </li>
  )
}

function Preferences({ contactId }: { contactId: string }) {
  const { data } = useQuery(linksQuery(contactId))
  if (!data) return null
  return (
    <div className="space-y-1.5 border-t border-line pt-3">
      <p className="text-quiet">{t.contacts.preferencesHint}</p>
      <p className="flex items-center gap-2">
        <a
          href={data.manageUrl}
          target="_blank"
          rel="noreferrer"
          className="inline-flex min-h-8 items-center gap-1.5 font-medium text-accent hover:underline max-md:min-h-11"
        >
          {t.contacts.preferences} <ExternalLink className="size-3.5" aria-hidden />
        </a>
        <CopyButton text={data.manageUrl} />
      </p>
    </div>
  )
}
