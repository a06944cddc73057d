// Settings that do not go together, with messages in words. A value that is wrong by itself has its own fault already, and causes none
// here.
import { isLoopbackHost } from '../lib/loopback'
import { entriesOf, type GivenOf } from './setting'
import { settings } from './table'

export type Given = GivenOf<typeof settings>

/** `isSet` is also true for settings whose value is wrong. */
export function faultsBetween(given: Given, isSet: (name: string) => boolean): string[] {
  return [...faultsOfNeeds(given, isSet), ...ruled(given, isSet)]
}

/** The halves of pairs, and what other settings need. */
function faultsOfNeeds(given: Given, isSet: (name: string) => boolean): string[] {
  const isGood = (name: string): boolean => given[name as keyof Given] !== undefined
  const entries = entriesOf(settings)
  const halves = entries
    .map(({ name, pair }) => [name, pair ?? name] as const)
    .filter(([one, other]) => (isGood(one) && !isSet(other)) || (isGood(other) && !isSet(one)))
  const inHalves = new Set<string>(halves.flat())
  const lacking = entries.filter(
    ({ name, needs = [] }) =>
      isGood(name) && needs.length > 0 && !needs.some(needed => isSet(needed) || inHalves.has(needed)),
  )
  return [
    ...halves.map(([one, other]) => `${one} and ${other} belong together; set both or neither`),
    ...lacking.map(
      ({ name, needs = [] }) =>
        `${name} is set, but ${needs.join(' and ')} ${needs.length > 1 ? 'are' : 'is'} not`,
    ),
  ]
}

/** Faults that no column of the table could express. */
function ruled(given: Given, isSet: (name: string) => boolean): string[] {
  const { MAIL_TRANSPORT, PORT, METRICS_PORT, ROLE, S3_BUCKET, SMTP_LISTEN, SMTP_PLAIN_ON_LOOPBACK } = given
  const { TRANSPORTS_FILE } = given
  const faults: string[] = []
  if (MAIL_TRANSPORT === 'smtp' && !isSet('SMTP_URL'))
    faults.push('MAIL_TRANSPORT is "smtp", which needs SMTP_URL (an smtp:// or smtps:// address)')
  if (MAIL_TRANSPORT === 'ses' && !isSet('AWS_SES_REGION'))
    faults.push('MAIL_TRANSPORT is "ses", which needs AWS_SES_REGION (such as eu-central-1)')
  for (const name of ['MAIL_TRANSPORT', 'SMTP_URL'])
    if (TRANSPORTS_FILE && isSet(name))
      faults.push(`TRANSPORTS_FILE lists all transports, so ${name} would have no effect; remove one of them`)
  if (TRANSPORTS_FILE?.some(({ kind }) => kind === 'ses') && !isSet('AWS_SES_REGION'))
    faults.push('TRANSPORTS_FILE lists SES, which needs AWS_SES_REGION (such as eu-central-1)')
  if (METRICS_PORT && METRICS_PORT === (PORT ?? Number(settings.port.fallback)) && ROLE !== 'worker')
    faults.push(`METRICS_PORT is ${METRICS_PORT}, but that is the PORT of everything else`)
  if (SMTP_PLAIN_ON_LOOPBACK && !SMTP_LISTEN?.some(({ host }) => isLoopbackHost(host)))
    faults.push(
      'SMTP_PLAIN_ON_LOOPBACK is true, but SMTP_LISTEN names no loopback address (such as 127.0.0.1:2525)',
    )
  for (const key of ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'])
    if (S3_BUCKET && !isSet(key)) faults.push(`S3_BUCKET is set, which needs ${key}`)
  return faults
}
