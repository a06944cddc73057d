// Requests and answers of the domain routes, and the one place where a stored domain becomes what a client sees.

import { type Static, t } from 'elysia'
import { answeredInstant } from '../../../lib/answered'
import { findingLevels, oneOfWords } from '../../../lib/described'
import { anyKey } from '../../../lib/free-form'
import { after, day } from '../../../lib/time'
import { relayHosts, staysHere } from '../../../platform/transports/relay-hosts'
import { identityStatuses } from '../../../platform/transports/transport'
import type { Config } from '../../../settings/config'
import { findingCodes, findingTopics } from './health/finding'
import { verifiesAtOnce } from './names'
import { providedRecords } from './provided'
import { dkimName, dkimValue, recordPurposes, recordsFor, recordTypes } from './records'
import type { DomainRow, RotationRow } from './schema'

const recordStatus = oneOfWords(identityStatuses)
const purpose = oneOfWords(recordPurposes)

export const addBody = t.Object({
  domain: t.String({ minLength: 3, maxLength: 253, examples: ['mail.example.com'] }),
  projectId: t.Optional(t.String({ format: 'uuid', description: 'Must be the project of the request' })),
})

export const idParams = t.Object({ id: t.String({ format: 'uuid' }) })
export const projectParams = t.Object({ projectId: t.String({ format: 'uuid' }) })

const record = t.Object(
  {
    type: oneOfWords(recordTypes),
    name: t.String(),
    value: t.String(),
    priority: t.Optional(t.Integer()),
    purpose,
    required: t.Boolean({ description: 'Without it the domain is not verified; the others are advice' }),
    status: recordStatus,
  },
  { title: 'DnsRecord' },
)

const fields = {
  id: t.String({ format: 'uuid' }),
  domain: t.String(),
  verified: t.Boolean(),
  dkimTokens: t.Union([t.Array(t.String()), t.Null()], {
    description: "The provider's, where it signs for us",
  }),
  projectId: t.String({ format: 'uuid' }),
  createdAt: answeredInstant(),
  updatedAt: answeredInstant(),
  records: t.Array(record),
}

export const domainAnswer = t.Object(fields, { title: 'Domain' })
export const domainList = t.Array(domainAnswer)
export const addAnswer = t.Object(
  { ...fields, project: t.Object({ name: t.String() }) },
  { title: 'AddedDomain' },
)

export const verifyAnswer = t.Object(
  {
    domain: t.String(),
    tokens: t.Array(t.String()),
    status: t.Union([
      t.Literal('Pending'),
      t.Literal('Success'),
      t.Literal('Failed'),
      t.Literal('TemporaryFailure', { description: 'No name server answered; `verified` is as it was' }),
    ]),
    verified: t.Boolean(),
    records: t.Array(record),
  },
  { title: 'DomainVerification' },
)

const finding = t.Object(
  {
    about: oneOfWords(findingTopics),
    level: oneOfWords(findingLevels),
    code: t.String({ description: `One of ${findingCodes.join(', ')}` }),
    message: t.String({ description: 'The code in words' }),
    values: t.Record(anyKey, t.String(), { description: 'What the message names' }),
    record: t.Optional(t.Object({ type: t.Literal('TXT'), name: t.String(), value: t.String() })),
  },
  { title: 'DomainFinding' },
)

export const healthAnswer = t.Object(
  { domain: t.String(), findings: t.Array(finding) },
  { title: 'DomainHealth' },
)

const signers = ['waxwing', 'relay'] as const
export type Signer = (typeof signers)[number]

const publishedKey = {
  selector: t.String(),
  name: t.String({ description: 'Where its TXT record stands' }),
  value: t.String(),
}

export const signerBody = t.Object({ signedBy: oneOfWords(signers) })

export const keysAnswer = t.Object(
  {
    domain: t.String(),
    signedBy: oneOfWords(signers, {
      description: 'With `relay`, mail leaves Waxwing unsigned and the relay signs it',
    }),
    current: t.Object(publishedKey, { description: 'Signs' }),
    next: t.Union([t.Object({ ...publishedKey, startedAt: answeredInstant() }), t.Null()], {
      description: 'Waits for its DNS record, then signs',
    }),
    previous: t.Union(
      [
        t.Object({
          selector: t.String(),
          name: t.String(),
          replacedAt: answeredInstant(),
          removableAt: answeredInstant(),
        }),
        t.Null(),
      ],
      { description: 'Was replaced; its record may be taken out of the DNS at `removableAt`' },
    ),
  },
  { title: 'SigningKeys' },
)

export const deleteAnswer = t.Object({ success: t.Boolean() })

export type SigningKeys = Static<typeof keysAnswer>
export type AddBody = Static<typeof addBody>
export type DomainAnswer = Static<typeof domainAnswer>
export type AddAnswer = Static<typeof addAnswer>
export type VerifyAnswer = Static<typeof verifyAnswer>

/** How mail leaves, as far as it matters for domains. */
export interface SendingSetup {
  mailTransport: string
  /** Mail is kept on this machine. */
  stays: boolean
  relayHost?: string
  /** Our own key signs as well as the provider's. */
  signsBeside?: boolean
}

/** A sandbox domain counts only while mail stays on this machine. */
export function countsAsVerified(row: { verified: boolean; sandbox: boolean }, stays: boolean): boolean {
  return row.verified && (!row.sandbox || stays)
}

export function toDomainAnswer(row: DomainRow, setup: SendingSetup): DomainAnswer {
  return {
    id: row.id,
    domain: row.domain,
    verified: countsAsVerified(row, setup.stays),
    dkimTokens: provided(row, setup)?.tokens ?? null,
    projectId: row.projectId,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    records: recordsOf(row, setup),
  }
}

/** Receivers look a key up when the mail arrives, which may be days after it was signed. */
const signedMailTravelsMs = 7 * day

export function toSigningKeys(row: DomainRow, rotation: RotationRow | undefined): SigningKeys {
  const { domain } = row
  const published = ({ selector, publicKey }: Pick<DomainRow, 'selector' | 'publicKey'>) => ({
    selector,
    name: dkimName({ domain, selector }),
    value: dkimValue(publicKey),
  })
  const previous = (selector: string, at: Date): SigningKeys['previous'] => ({
    selector,
    name: dkimName({ domain, selector }),
    replacedAt: at.toISOString(),
    removableAt: after(at, signedMailTravelsMs).toISOString(),
  })
  const isNext = rotation !== undefined && rotation.switchedAt === null
  return {
    domain,
    signedBy: row.relaySigns ? 'relay' : 'waxwing',
    current: published(row),
    next: isNext ? { ...published(rotation), startedAt: rotation.startedAt.toISOString() } : null,
    previous: rotation?.switchedAt ? previous(rotation.selector, rotation.switchedAt) : null,
  }
}

/** `known` is false when no name server answered. */
export function toVerifyAnswer(row: DomainRow, known: boolean, setup: SendingSetup): VerifyAnswer {
  const verified = countsAsVerified(row, setup.stays)
  const settled = verified ? 'Success' : row.dkimStatus === 'failed' ? 'Failed' : 'Pending'
  return {
    domain: row.domain,
    tokens: provided(row, setup)?.tokens ?? [],
    status: known ? settled : 'TemporaryFailure',
    verified,
    records: recordsOf(row, setup),
  }
}

/** What the provider asks for, where it is the one that signs. */
function provided(
  row: DomainRow,
  { mailTransport }: SendingSetup,
): { tokens: string[]; zone: string } | undefined {
  if (mailTransport !== 'ses' || row.dkimTokens === null || row.dkimZone === null) return undefined
  return { tokens: row.dkimTokens, zone: row.dkimZone }
}

function recordsOf(row: DomainRow, setup: SendingSetup): DomainAnswer['records'] {
  const { stays, relayHost } = setup
  const seen = { dkim: row.dkimStatus, spf: row.spfStatus, dmarc: row.dmarcStatus }
  const sandboxed = verifiesAtOnce(row.domain, stays)
  const statuses = sandboxed ? ({ dkim: 'verified', spf: 'verified', dmarc: 'verified' } as const) : seen
  const given = provided(row, setup)
  return given
    ? providedRecords({ ...row, ...given, signsBeside: setup.signsBeside ?? false }, statuses)
    : recordsFor(row, statuses, relayHost)
}

/** Some mail leaves by a provider that signs it, and some by transports for which we do. */
export function signsBeside({ transports, mailTransport }: Config): boolean {
  return mailTransport === 'ses' && (transports ?? []).some(({ kind }) => kind !== 'ses')
}

/** What domains need to know about the configuration. */
export function sendingSetupOf(config: Config): SendingSetup {
  const { mailTransport } = config
  const relayHost = mailTransport === 'smtp' ? relayHosts(config)[0] : undefined
  return { mailTransport, stays: staysHere(config), relayHost, signsBeside: signsBeside(config) }
}
