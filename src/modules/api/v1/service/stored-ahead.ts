// A large message that came finished is stored before it is accepted, in pieces with commits of their own: in the transaction that accepts
// it, 40 MB would delay all other commits, and keep its locks for as long. Pieces that no message names are deleted with old files.
import { AppError } from '../../../../lib/errors'
import { type Context, newId } from '../../../../platform/context'
import { largeWorkOf } from '../../../../platform/large-work'
import { contentPiece, deleteSubmitted, insertSubmitted } from '../../../sending/emails'
import type { PreparedSend } from './prepare'

/** `accept` gets it without its bytes, and with their name. */
export async function storedAhead<T>(
  ctx: Context,
  send: PreparedSend,
  accept: (send: PreparedSend) => Promise<T>,
): Promise<T> {
  const { source, projectId } = send
  if (!source || source.raw.length <= contentPiece) return await accept(send)
  const { store } = largeWorkOf(ctx)
  const setId = newId(ctx)
  for (let at = 0; at < source.raw.length; at += contentPiece) {
    const piece = source.raw.subarray(at, at + contentPiece)
    await store(() => insertSubmitted(ctx, projectId, setId, piece, at / contentPiece))
  }
  try {
    return await accept({ ...send, source: { ...source, raw: Buffer.alloc(0), storedAs: setId } })
  } catch (error) {
    // Of any other error it is not known whether it was accepted. Pieces that no message names are deleted with other files of their age.
    if (error instanceof AppError) await deleteSubmitted(ctx, projectId, setId)
    throw error
  }
}
