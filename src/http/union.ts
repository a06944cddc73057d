// A union that fails says only "expected union value". This picks the branch the client most likely meant, so that the answer
// can name `to.0.email` instead of `to`. Pure.
import { type ValueError, ValueErrorType } from '@sinclair/typebox/errors'

/** Errors of the value's own kind; anything else means the value was of the right kind and wrong inside. */
const kindErrors = new Set<ValueErrorType>([
  ValueErrorType.Array,
  ValueErrorType.Boolean,
  ValueErrorType.Date,
  ValueErrorType.Integer,
  ValueErrorType.Kind,
  ValueErrorType.Literal,
  ValueErrorType.Never,
  ValueErrorType.Null,
  ValueErrorType.Number,
  ValueErrorType.Object,
  ValueErrorType.String,
  ValueErrorType.Undefined,
])

/** Replaces every union failure by the failures of its closest branch. */
export function unwrapUnions(errors: Iterable<ValueError>): ValueError[] {
  const result: ValueError[] = []
  for (const error of errors) {
    if (error.type === ValueErrorType.Union) result.push(...closestBranch(error))
    else result.push(error)
  }
  return result
}

/** The branch whose kind fits the value; among several of them the one with the fewest faults. None: the union itself. */
function closestBranch(union: ValueError): ValueError[] {
  const fitting = union.errors
    .map(branch => unwrapUnions(branch))
    .filter(errors => errors.length > 0 && !errors.some(error => rejectsKind(error, union.path)))
  if (fitting.length === 0) return [union]
  return fitting.reduce((best, errors) => (errors.length < best.length ? errors : best))
}

function rejectsKind(error: ValueError, path: string): boolean {
  return error.path === path && (kindErrors.has(error.type) || error.type === ValueErrorType.Union)
}

/** The constants a union of literals allows; undefined when the union is something else. */
export function allowedValues(error: ValueError): unknown[] | undefined {
  const branches: unknown = error.schema.anyOf ?? [error.schema]
  if (!Array.isArray(branches)) return undefined
  const values = branches.flatMap((branch: { const?: unknown; enum?: unknown[]; type?: string }) =>
    branch.type === 'null'
      ? [null]
      : (branch.enum ?? (branch.const === undefined ? [undefined] : [branch.const])),
  )
  return values.includes(undefined) ? undefined : values
}
