// One line per sender domain: what the DNS says about it now, and below it the exact records that are missing.
import { type DomainAnswer, type InspectedDomain, inspectDomains } from '../../modules/sending/domains'
import type { Context } from '../../platform/context'
import { type Finding, fail, pass, warn } from './check'

const pageSize = 50
/** Beyond this the list helps nobody; each project sees its own domains in the API. */
const maxDomains = 1_000

export async function domainChecks(ctx: Context): Promise<Finding[]> {
  const findings: Finding[] = []
  for (let after: string | undefined; findings.length < maxDomains; ) {
    const page = await inspectDomains(ctx, after, pageSize)
    findings.push(...page.flatMap(inspected => [describe(inspected), ...advice(inspected)]))
    if (page.length < pageSize) return findings
    after = page.at(-1)!.id
  }
  return [...findings, warn('domains', `only the first ${maxDomains} were looked at`)]
}

function describe({ now, wasVerified, known }: InspectedDomain): Finding {
  const about = `domain ${now.domain}`
  if (!known) return warn(about, 'no name server answered about it')
  const missing = now.records.filter(record => record.status !== 'verified')
  const required = missing.filter(record => record.required)
  if (missing.length === 0) return pass(about, 'verified, all records are there')
  const words = [
    required.length === 0
      ? 'verified; publish these too, so that receivers trust it'
      : wasVerified
        ? 'its proof is gone from the DNS, and mail in its name stops at the next check: publish'
        : 'not verified yet: publish',
    ...missing.map(toPaste),
  ].join('\n')
  return required.length > 0 && wasVerified ? fail(about, words) : warn(about, words)
}

/** What would keep its mail from being trusted. Missing records are named above already. */
function advice({ now, health, known }: InspectedDomain): Finding[] {
  if (!known) return []
  return health.findings
    .filter(({ level, code }) => level !== 'ok' && !code.endsWith('.missing') && !code.endsWith('.unknown'))
    .map(({ message, record }) =>
      warn(
        `domain ${now.domain}`,
        record ? `${message}; publish\n${toPaste({ ...record, status: 'pending' })}` : message,
      ),
    )
}

type Pasted = Pick<DomainAnswer['records'][number], 'type' | 'name' | 'value' | 'priority' | 'status'>

/** As a zone file has it; a control panel takes name, type and value from the same line. */
function toPaste({ type, name, value, priority, status }: Pasted): string {
  const content =
    type === 'TXT' ? characterStrings(value) : `${priority === undefined ? '' : `${priority} `}${value}.`
  return `${name}. IN ${type} ${content}${status === 'failed' ? '   ; something else is there now' : ''}`
}

/** A string in a TXT record holds 255 octets at most; receivers join them (RFC 7208, section 3.3). */
function characterStrings(value: string): string {
  const parts = value.match(/.{1,255}/g) ?? ['']
  return parts.map(part => `"${part.replaceAll(/["\\]/g, '\\$&')}"`).join(' ')
}
