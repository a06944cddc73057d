// The message behind the link in it: what its recipient got, without what measures opens and clicks.
import { AppError } from '../../lib/errors'
import { isUuid } from '../../lib/ids'
import type { Context } from '../../platform/context'
import { getEmail, projectOfView } from '../emails'

export interface ReadableMessage {
  subject: string
  html: string
  text: string
}

/** Undefined for a false link, and for a message that is gone, was erased, or whose content is no longer kept. */
export async function findMessage(
  ctx: Context,
  id: string,
  token: string,
): Promise<ReadableMessage | undefined> {
  const projectId = isUuid(id) ? projectOfView(ctx.vault, id.toLowerCase(), token) : undefined
  if (projectId === undefined) return undefined
  try {
    const { email } = await getEmail(ctx, projectId, id)
    const { subject, html, text } = email
    return html === '' && text === '' ? undefined : { subject, html, text }
  } catch (error) {
    if (error instanceof AppError && error.status === 404) return undefined
    throw error
  }
}
