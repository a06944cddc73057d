// A dry run does what an import does, and rolls it back.
import { type Context, inTransaction } from '../../platform/context'

class TakenBack<T> extends Error {
  constructor(readonly result: T) {
    super('a dry run')
  }
}

/** One transaction, of which a dry run keeps nothing but the result. */
export async function keepOrTakeBack<T>(
  ctx: Context,
  isDryRun: boolean,
  work: (tx: Context) => Promise<T>,
): Promise<T> {
  if (!isDryRun) return await inTransaction(ctx, work)
  try {
    return await inTransaction(ctx, async tx => {
      throw new TakenBack(await work(tx))
    })
  } catch (error) {
    if (!(error instanceof TakenBack)) throw error
    return error.result as T
  }
}
