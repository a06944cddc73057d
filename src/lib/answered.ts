// Texts of answers, and ids in paths, with the format that they have. It is shown to clients and not checked: a row is known to hold it, and
// an id that is none is answered like an unknown one.
import { Type } from '@sinclair/typebox'
import { describedAs } from './described'

function answered(format: string, options: object) {
  return describedAs(Type.String(), { type: 'string', format, ...options })
}

/** The id of a row. */
export const answeredId = (options: object = {}) => answered('uuid', options)

/** An address alone, without a name. */
export const answeredAddress = (options: object = {}) => answered('email', options)

/** A moment, in ISO 8601. */
export const answeredInstant = (options: object = {}) => answered('date-time', options)

export const nullableId = (options: object = {}) => Type.Union([answeredId(), Type.Null()], options)

export const nullableAddress = (options: object = {}) => Type.Union([answeredAddress(), Type.Null()], options)

export const nullableInstant = (options: object = {}) => Type.Union([answeredInstant(), Type.Null()], options)
