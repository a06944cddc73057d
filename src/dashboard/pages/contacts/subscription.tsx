// Whether a contact gets marketing mail, in a word.
import { t } from '../../texts'
import { Badge } from '../../ui/badge'
import type { Contact } from './data'

export function Subscription({ contact }: { contact: Pick<Contact, 'subscribed' | 'snoozedUntil'> }) {
  if (contact.subscribed) return <Badge tone="good">{t.contacts.states.subscribed}</Badge>
  return contact.snoozedUntil ? (
    <Badge tone="warn">{t.contacts.states.snoozed}</Badge>
  ) : (
    <Badge>{t.contacts.states.unsubscribed}</Badge>
  )
}
