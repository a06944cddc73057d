// Things that belong to a running instance and not to a module: made once for a Context, at first use. Two instances in one
// process (tests) stay apart, and nothing happens at import.
import type { Context } from './context'

/** The same for all Contexts of one instance: each job and each transaction has one of its own, and the metrics are shared by all. */
export function perInstance<T>(make: (ctx: Context) => T): (ctx: Context) => T {
  const made = new WeakMap<object, T>()
  return ctx => {
    const thing = made.get(ctx.metrics) ?? make(ctx)
    made.set(ctx.metrics, thing)
    return thing
  }
}

/** Returns a function that returns the same `make(ctx)` for the same Context. A transaction's Context is another one. */
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
