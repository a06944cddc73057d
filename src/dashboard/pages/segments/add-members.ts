// Adds addresses to a list, in portions that the API accepts.
import { answer, api } from '../../api/client'

export interface Added {
  added: number
  created: number
  notFound: string[]
}

const portion = 500
export async function addMembers(
  id: string,
  emails: readonly string[],
  createMissing: boolean,
  onProgress: (done: number) => void = () => {},
): Promise<Added> {
  const sum: Added = { added: 0, created: 0, notFound: [] }
  for (let from = 0; from < emails.length; from += portion) {
    const body = { emails: emails.slice(from, from + portion), createMissing }
    const { added, created, notFound } = (await answer(
      api.POST('/segments/{id}/members', { params: { path: { id } }, body }),
    ))!
    sum.added += added
    sum.created += created
    sum.notFound.push(...notFound)
    onProgress(Math.min(emails.length, from + portion))
  }
  return sum
}
