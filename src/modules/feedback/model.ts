// Requests and answers of the receivers.
import { type Static, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { type FieldError, invalid } from '../../lib/errors'
import { parseDate } from '../../lib/time'
import { reportKinds } from './report'

export const receiverAnswer = Type.Object(
  {
    success: Type.Boolean(),
    duplicate: Type.Optional(Type.Boolean({ description: 'It had taken effect before' })),
    message: Type.Optional(Type.String()),
  },
  { title: 'ReceiverAnswer' },
)

export const reportsAnswer = Type.Object(
  {
    success: Type.Boolean(),
    duplicate: Type.Optional(Type.Boolean({ description: 'It had taken effect before' })),
    applied: Type.Optional(Type.Integer({ description: 'Reports whose message was found' })),
    unknown: Type.Optional(
      Type.Array(Type.Integer(), { description: 'Positions of those whose message was not found' }),
    ),
  },
  { title: 'ReportsAnswer' },
)

const maxReports = 1_000
const uuid = Type.String({ pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' })

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
  { additionalProperties: false, title: 'Report' },
)

export const reportsBody = Type.Object(
  { reports: Type.Array(entry, { minItems: 1, maxItems: maxReports }) },
  { title: 'Reports' },
)
const check = TypeCompiler.Compile(reportsBody)

export type ReportEntry = Static<typeof entry>

/** The reports of a body; 422 with every fault where it is not as documented. */
export function readReports(value: unknown): ReportEntry[] {
  if (!check.Check(value)) throw invalid(shapeFaults(value))
  const faults = value.reports.flatMap((report, at) => entryFaults(report, `reports.${at}`))
  if (faults.length > 0) throw invalid(faults.slice(0, maxFaults))
  return value.reports
}

const maxFaults = 20

function shapeFaults(value: unknown): FieldError[] {
  const faults: FieldError[] = []
  for (const { path, message } of check.Errors(value)) {
    faults.push({ field: path.slice(1).replaceAll('/', '.'), message, code: 'invalid_type' })
    if (faults.length === maxFaults) break
  }
  return faults
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
      message: 'Give emailId, messageId, or recipient (which may also go with messageId)',
      code: 'invalid_type',
    })
  if (recipient !== undefined && messageId === undefined && projectId === undefined)
    faults.push({ field: `${field}.projectId`, message: 'Is needed with recipient', code: 'invalid_type' })
  if (at !== undefined && !parseDate(at))
    faults.push({ field: `${field}.at`, message: 'Must be a date', code: 'invalid_string' })
  return faults
}
