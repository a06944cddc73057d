// How the topics of the project stand for a contact, and a switch for each. Nothing where the project has none.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { answer, api, type Schemas } from '../../api/client'
import { t } from '../../texts'
import { Card } from '../../ui/page'
import { Time } from '../../ui/time'
import { toast, toastError } from '../../ui/toast'
import { type Contact, contactTopicsQuery } from './data'

type Decided = Schemas['TopicOfContact']

export function Topics({ contact }: { contact: Contact }) {
  const { data = [] } = useQuery(contactTopicsQuery(contact.id))
  const shown = data.filter(({ archived, decidedAt }) => !archived || decidedAt)
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
  const state = archived ? t.topics.archived : subscribed ? t.topics.states.in : t.topics.states.out
  return (
    <li>
      <label className="flex min-h-9 items-start gap-2.5 max-md:min-h-11">
        <input
          type="checkbox"
          className="mt-0.5 size-4 shrink-0 accent-accent"
          checked={asked ?? subscribed}
          disabled={asked !== undefined}
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
  const queries = useQueryClient()
  const [asked, setAsked] = useState<boolean>()
  const decide = async (subscribed: boolean): Promise<void> => {
    setAsked(subscribed)
    try {
      const params = { path: { id: contactId } }
      await answer(api.PUT('/contacts/{id}/topics', { params, body: { topics: [{ id, subscribed }] } }))
      const undo = { label: t.words.undo, run: () => void decide(!subscribed) }
      toast(subscribed ? t.topics.joined(name) : t.topics.left(name), undo)
      await queries.invalidateQueries({ queryKey: ['contacts', 'topics', contactId] })
      void queries.invalidateQueries({ queryKey: ['contacts', 'consent', contactId] })
    } catch (error) {
      toastError(error)
    } finally {
      setAsked(undefined)
    }
  }
  return [asked, decide] as const
}
