// The records of a domain in the form that name servers and the import of most control panels read (RFC 1035, section 5).

interface ZoneRecord {
  type: 'TXT' | 'CNAME' | 'MX'
  name: string
  value: string
  priority?: number
}

const ttl = 3600

export function zoneFile(domain: string, records: readonly ZoneRecord[]): string {
  return `${[`; ${domain}`, ...records.map(lineOf)].join('\n')}\n`
}

function lineOf({ type, name, value, priority }: ZoneRecord): string {
  const content = type === 'TXT' ? characterStrings(value) : [priority, `${value}.`].filter(isGiven).join(' ')
  return `${name}.\t${ttl}\tIN\t${type}\t${content}`
}

const isGiven = (part: string | number | undefined): boolean => part !== undefined

/** A string holds at most 255 octets; readers of the record join them (RFC 7208, section 3.3). */
function characterStrings(value: string): string {
  const parts = value.match(/.{1,255}/g) ?? ['']
  return parts.map(part => `"${part.replaceAll(/["\\]/g, '\\$&')}"`).join(' ')
}
