// Things that belong to a running instance and not to a module: made once for a Context, at first use. Two instances in one
// process (tests) stay apart, and nothing happens at import.
import type { Context } from './context'

/** Returns a function that answers the same `make(ctx)` for the same Context. A transaction's Context is another one. */
export function perContext<T>(make: (ctx: Context) => T): (ctx: Context) => T {
  const made = new WeakMap<Context, T>()
  return ctx => {
    const known = made.get(ctx)
    if (known !== undefined) return known
    const thing = make(ctx)
    made.set(ctx, thing)
    return thing
  }
}
