// What an entry of the audit log says about the change, as people say it: "for 28 Nov 2026, 06:56, 204 recipients".
import type { Schemas } from '../../api/client'
import { t } from '../../texts'
import { formatDate, formatDateTime } from '../../ui/format'
import { languageName } from '../../ui/languages'
import { providerName } from '../../ui/provider-name'

type Entry = Schemas['AuditEntry']
type Value = NonNullable<Entry['details']>[string]
type Say = (value: string) => string

const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** What it was done to, and how: names before figures, and no ids, which mean nothing to anybody. */
export function aboutOf({ action, subject, details }: Entry): string {
  const { name, ...rest } = details ?? {}
  const values = Object.entries(rest).map(([member, value]) => said(action, member, value))
  return [isId.test(subject ?? '') ? null : subject, name, ...values].filter(Boolean).join(', ')
}

/** What is null was not set, except a limit, which is gone then. */
function said(action: Entry['action'], member: string, value: Value): string | undefined {
  if (action === 'billing.limitsChanged') return limit(member, value)
  if (value === null || (typeof value === 'string' && isId.test(value))) return undefined
  const say = sayers(action)[member]
  return say ? say(String(value)) : `${member}: ${value}`
}

function limit(category: string, value: Value): string {
  const { categories, unlimited } = t.settings.billing
  return `${nameIn(categories, category)}: ${value ?? unlimited}`
}

function sayers(action: Entry['action']): Record<string, Say> {
  const { about } = t.settings.audit
  return {
    role: role => nameIn(t.settings.roles, role),
    invited: () => about.invited,
    scopes: scopes => scopes.split(' ').map(nameOfScope).join(', '),
    domains: domains => t.keys.from(domains.replaceAll(' ', ', ')),
    expiresAt: at => t.keys.until(formatDate(at)),
    scheduledFor: at => about.scheduledFor(formatDateTime(at)),
    totalRecipients: total => about.recipients(Number(total)),
    requeued: total => about.recipients(Number(total)),
    count: total => about.addresses(Number(total)),
    first: about.first,
    tracking: mode => `${t.settings.tracking}: ${nameIn(t.settings.trackingModes, mode)}`,
    language: languageName,
    reason: reason =>
      nameIn(action === 'project.suspended' ? t.home.suspensions : t.suppressions.reasons, reason),
    pausedReason: about.paused,
    receiver: providerName,
    enabled: is => (is === 'true' ? t.words.on : t.words.off),
    selector: plain,
    defaultSender: plain,
  }
}

const plain: Say = text => text
const nameOfScope: Say = scope => nameIn(t.keys.scopeNames, scope)

function nameIn(names: Readonly<Record<string, string>>, name: string): string {
  return names[name] ?? name
}
