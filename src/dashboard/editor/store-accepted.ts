// Storing a draft of which the server refuses some: what it refuses is named, and the rest is stored all the same.
import { ApiError } from '../api/error'
import type { Missing } from './draft-state'

/** `words` makes the sentence that is shown for an error. */
export async function storeAccepted<S>(
  body: object,
  missing: Missing,
  put: (body: object) => Promise<S>,
  words: (problem: Error) => string = problem => problem.message,
): Promise<{ stored: S; missing: Missing }> {
  try {
    return { stored: await put(body), missing }
  } catch (problem) {
    const refused = refusedOf(problem, words).filter(([field]) => memberOf(field) in body)
    if (refused.length === 0) throw problem
    const members = new Set(refused.map(([field]) => memberOf(field)))
    // What is written in blocks or Markdown, and the HTML that it makes, are one thing.
    if (members.has('body')) members.add('editor')
    const left = Object.entries(body).filter(([member]) => !members.has(member))
    const named = { ...missing, ...Object.fromEntries(refused) }
    return await storeAccepted(Object.fromEntries(left), named, put, words)
  }
}

const memberOf = (field: string): string => field.split('.')[0]!

/** The fields that the server refused. What it does not name is the sender, whose domain is not that of the project. */
function refusedOf(
  problem: unknown,
  words: (problem: Error) => string,
): Array<[field: string, message: string]> {
  if (!(problem instanceof ApiError) || ![400, 403, 422].includes(problem.status)) return []
  const { faults = [], details = {} } = problem.about
  if (faults.length > 0) return faults.map(({ field, message }) => [field, message])
  const { field, from } = details
  if (typeof field === 'string') return [[field, words(problem)]]
  return problem.status === 403 || from !== undefined ? [['from', problem.message]] : []
}
