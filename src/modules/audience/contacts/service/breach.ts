// What the database's own bounds on the data of a contact say, in the words of an answer: they hold for what comes of a request together
// with what is stored already, which only the statement knows.
import { type AppError, invalid } from '../../../../lib/errors'
import { violates } from '../../../../platform/db/errors'
import { tooLarge, tooManyKeys } from '../patch'

/** Undefined for any other error. */
export function breachOfData(error: unknown): AppError | undefined {
  if (violates(error, 'contacts_data_size')) return invalid([tooLarge()])
  return violates(error, 'contacts_data_keys') ? invalid([tooManyKeys()]) : undefined
}
