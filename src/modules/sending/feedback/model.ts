// Requests and answers of the receivers.
import { type Static, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { Value } from '@sinclair/typebox/value'
import { fieldErrors } from '../../../http/validation'
import { describedAs } from '../../../lib/described'
import { type FieldError, invalid } from '../../../lib/errors'
import { parseDate } from '../../../lib/time'
import { reportKinds } from './report'

export const receiverAnswer = Type.Object(
  {
    success: Type.Boolean(),
    duplicate: Type.Optional(Type.Boolean({ description: 'True if it had already taken effect' })),
    message: Type.Optional(Type.String()),
  },
  { title: 'ReceiverAnswer' },
)

export const reportsAnswer = Type.Object(
  {
    success: Type.Boolean(),
    duplicate: Type.Optional(Type.Boolean({ description: 'True if it had already taken effect' })),
    applied: Type.Optional(Type.Integer({ description: 'Number of reports whose email was found' })),
    unknown: Type.Optional(
      Type.Array(Type.Integer(), { description: 'Positions of reports whose email was not found' }),
    ),
    invalid: Type.Optional(
      Type.Array(Type.Object({ field: Type.String(), message: Type.String() }), {
        description: 'Reports that could not be read, and why. The others were applied',
        examples: [[{ field: 'reports.1.emailId', message: 'Must be a UUID' }]],
      }),
    ),
  },
  { title: 'ReportsAnswer' },
)

const maxReports = 1_000
const uuid = describedAs(
  Type.String({
    pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
    error: 'Must be a UUID',
  }),
  { type: 'string', format: 'uuid' },
)

const entry = Type.Object(
  {
    type: Type.Union(reportKinds.map(kind => Type.Literal(kind))),
    emailId: Type.Optional(uuid),
    /** Ours (the header), or the id that the provider gave it. */
    messageId: Type.Optional(Type.String({ minLength: 1, maxLength: 998 })),
    recipient: Type.Optional(Type.String({ minLength: 3, maxLength: 254 })),
    projectId: Type.Optional(uuid),
    at: Type.Optional(Type.String({ maxLength: 64 })),
    reason: Type.Optional(Type.String({ maxLength: 1_000 })),
    link: Type.Optional(Type.String({ maxLength: 8_000 })),
    machine: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false, refusesUnknown: true, title: 'Report' },
)

export const reportsBody = Type.Object(
  { reports: Type.Array(entry, { minItems: 1, maxItems: maxReports }) },
  { title: 'Reports' },
)
const listOfAny = Type.Object({ reports: Type.Array(Type.Unknown(), { minItems: 1, maxItems: maxReports }) })
const check = TypeCompiler.Compile(entry)

export type ReportEntry = Static<typeof entry>

export interface ReadReports {
  /** By its place in the list; undefined where it is not as documented. */
  entries: Array<ReportEntry | undefined>
  faults: FieldError[]
}

/**
 * The reports of a body. Programs hand on what they heard, so one that can't be read holds up no other: it is named in the answer. 422 where
 * none can be read.
 */
export function readReports(value: unknown): ReadReports {
  if (!Value.Check(listOfAny, value)) throw invalid(fieldErrors(Value.Errors(listOfAny, value)))
  const read = value.reports.map((report, at) => readEntry(report, `reports.${at}`))
  const faults = read.flatMap(({ faults }) => faults.slice(0, maxFaultsOfOne))
  const entries = read.map(({ entry }) => entry)
  if (entries.every(each => each === undefined)) throw invalid(faults.slice(0, maxFaults))
  return { entries, faults }
}

const maxFaults = 20
/** A list of a thousand may be wrong in many ways. */
const maxFaultsOfOne = 3

function readEntry(given: unknown, field: string): { entry?: ReportEntry; faults: FieldError[] } {
  if (!check.Check(given)) {
    const faults = fieldErrors(check.Errors(given))
    return {
      faults: faults.map(fault => ({ ...fault, field: fault.field ? `${field}.${fault.field}` : field })),
    }
  }
  const faults = entryFaults(given, field)
  return faults.length > 0 ? { faults } : { entry: given, faults }
}

function entryFaults(
  { emailId, messageId, recipient, projectId, at }: ReportEntry,
  field: string,
): FieldError[] {
  const faults: FieldError[] = []
  const names = [emailId, messageId ?? recipient].filter(name => name !== undefined)
  if (names.length !== 1)
    faults.push({
      field,
      message: 'Set one of emailId, messageId, or recipient (only messageId and recipient can be combined)',
      code: 'invalid_type',
    })
  if (recipient !== undefined && messageId === undefined && projectId === undefined)
    faults.push({ field: `${field}.projectId`, message: 'Required with recipient', code: 'invalid_type' })
  if (at !== undefined && !parseDate(at))
    faults.push({ field: `${field}.at`, message: 'Must be a date', code: 'invalid_string' })
  return faults
}
