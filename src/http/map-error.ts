// Turns whatever was thrown into the one AppError the client may see. Anything unknown becomes a neutral 500; the cause is kept
// for the log. Pure.
import type { TSchema } from '@sinclair/typebox'
import type { ValueError } from '@sinclair/typebox/errors'
import { Value } from '@sinclair/typebox/value'
import { ElysiaCustomStatusResponse, ValidationError } from 'elysia'
import { AppError, type ErrorCode, invalid } from '../lib/errors'
import { isCancelled, isConnectionFault } from '../platform/db/errors'
import { Unstarted } from '../platform/workers/pool'
import { fieldErrors, unknownFilter } from './validation'

/** Query and path parameters of the request, as they were sent. */
export type Address = Record<string, unknown>

/** Maps `error`, thrown at the stage that Elysia calls `code`, to what is answered. */
export function mapError(error: unknown, code: string | number, address: Address = {}): AppError {
  const known = ownError(error)
  if (known) return known
  if (code === 'VALIDATION' && error instanceof ValidationError) return mapValidation(error, address)
  if (code === 'PARSE') return malformedBody(error)
  if (code === 'NOT_FOUND') return unknownRoute()
  if (code === 'INVALID_FILE_TYPE')
    return new AppError(422, 'VALIDATION_ERROR', 'The file is of a type that is not allowed')
  if (code === 'INVALID_COOKIE_SIGNATURE')
    return new AppError(401, 'UNAUTHORIZED', 'The session is not valid')
  if (error instanceof ElysiaCustomStatusResponse) return thrownStatus(error.code)
  if (isCancelled(error)) return tookTooLong(error)
  if (isTransient(error)) return unavailable(error)
  if (isUnstorableText(error)) return badText(error)
  return unexpected(error)
}

/** An AppError thrown inside a body parser arrives wrapped. */
function ownError(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof AppError ? cause : undefined
}

function mapValidation(error: ValidationError, address: Address): AppError {
  if (error.type === 'response') return unexpected(error)
  const items = fieldErrors(valueErrors(error), error.type === 'body' ? 'json' : 'text')
  // A decoder that fails inside a query does not say where: the field is the one that holds the refused value.
  const fields =
    error.type === 'property' ? items.map(item => ({ ...item, field: fieldOf(error.value, address) })) : items
  if (
    (error.type === 'query' || error.type === 'property') &&
    fields.some(({ code }) => code === unknownFilter)
  )
    return new AppError(400, 'VALIDATION_ERROR', 'The query names what does not exist', {
      errors: fields,
      suggestion: fields.map(({ field, message }) => `${field}: ${message}.`).join(' '),
    })
  return invalid(
    fields.length > 0 ? fields : [{ field: '', message: 'The request is not valid', code: 'custom' }],
  )
}

function valueErrors(error: ValidationError): Iterable<ValueError> {
  const validator = error.validator as TSchema | { Errors(value: unknown): Iterable<ValueError> }
  return 'Errors' in validator ? validator.Errors(error.value) : Value.Errors(validator, error.value)
}

function fieldOf(value: unknown, address: Address): string {
  return Object.keys(address).find(name => address[name] === String(value)) ?? ''
}

function malformedBody(cause: unknown): AppError {
  return new AppError(400, 'VALIDATION_ERROR', 'The request body could not be read', {
    suggestion:
      'Send well-formed JSON (or the form data of an upload) and the Content-Type that goes with it.',
    cause,
  })
}

function unknownRoute(): AppError {
  return new AppError(404, 'RESOURCE_NOT_FOUND', 'There is nothing at this address', {
    details: { resource: 'route' },
    suggestion: 'Check the method and the path.',
  })
}

const codesByStatus: Record<number, ErrorCode> = {
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'RESOURCE_NOT_FOUND',
  409: 'CONFLICT',
  413: 'PAYLOAD_TOO_LARGE',
  422: 'VALIDATION_ERROR',
}

/** Routes throw AppError; a bare status comes from a library only. */
function thrownStatus(status: number): AppError {
  if (status < 400 || status >= 500) return unexpected(new Error(`thrown status ${status}`))
  return new AppError(status, codesByStatus[status] ?? 'BAD_REQUEST', 'The request was refused')
}

/** Seconds after which a client may try again when the database was away, or the machine too busy. */
const retryAfter = 5

function unavailable(cause: unknown): AppError {
  return new AppError(503, 'SERVICE_UNAVAILABLE', 'The service is not available at the moment', {
    suggestion: 'Try again in a few seconds.',
    headers: { 'Retry-After': String(retryAfter) },
    cause,
  })
}

function tookTooLong(cause: unknown): AppError {
  return new AppError(503, 'SERVICE_UNAVAILABLE', 'The database took too long over this request', {
    suggestion:
      'Ask for less at once (fewer or plainer conditions, a smaller page), or try again in a few seconds.',
    headers: { 'Retry-After': String(retryAfter) },
    cause,
  })
}

function badText(cause: unknown): AppError {
  return new AppError(400, 'VALIDATION_ERROR', 'The request holds text that is not valid Unicode', { cause })
}

function unexpected(cause: unknown): AppError {
  return new AppError(500, 'INTERNAL_SERVER_ERROR', 'An unexpected error occurred', {
    suggestion: 'Try again; if it happens again, report the request id.',
    cause,
  })
}

/**
 * Connection lost, out of connections or memory, deadlock, a lock or a thread that could not be had: the same request may succeed later.
 */
function isTransient(error: unknown): boolean {
  return (
    error instanceof Unstarted || isConnectionFault(error) || /^(53|40001|40P01|55P03)/.test(sqlState(error))
  )
}

/** NUL or broken Unicode that reached the database other than in a JSON body. */
function isUnstorableText(error: unknown): boolean {
  return /^(22021|22P05)$/.test(sqlState(error))
}

function sqlState(error: unknown): string {
  if (!(error instanceof Error)) return ''
  const own = (error as { code?: unknown }).code
  const inner = (error.cause as { code?: unknown } | undefined)?.code
  return typeof inner === 'string' ? inner : typeof own === 'string' ? own : ''
}
