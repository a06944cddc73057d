// Uploading an image, with the reasons why one is refused in words.
import { answer, api } from '../api/client'
import { ApiError } from '../api/error'
import { t } from '../texts'

export const imageTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp']
/** The server's own limit. */
const largest = 10 * 1024 ** 2

/** Resolves to where everybody can read it; throws in words about the file. */
export async function uploadImage(file: File): Promise<string> {
  if (!imageTypes.includes(file.type)) throw new Error(t.writing.pictureType(file.name))
  if (file.size > largest) throw new Error(t.writing.pictureSize(file.name))
  const form = new FormData()
  form.set('image', file)
  const uploaded = await answer(
    api.POST('/uploads/image', { body: form as unknown as { image: string }, bodySerializer: body => body }),
  ).catch(problem => {
    throw inWords(problem, file)
  })
  return uploaded!.url
}

/** What the server finds where the browser trusts the name: its words are for programs. */
function inWords(problem: unknown, { name }: File): unknown {
  if (!(problem instanceof ApiError)) return problem
  const words = { 400: t.writing.pictureType, 413: t.writing.pictureSize, 403: t.writing.picturesFull }
  const say = words[problem.status as keyof typeof words]
  return say ? new Error(say(name)) : problem
}
