// Calls against the direction of imports. A lower module declares a hook and calls it where something happens; modules above listen, in
// the caller's transaction, so that what they do stands or falls with it. One place, `server/hooks.ts`, lists who listens to what.
import type { Context } from './context'

/** `G` is what listeners are given, `R` what each of them returns. */
export interface Hook<G, R = void> {
  readonly name: string
  /** Never set: it ties a listener's types to its hook. */
  readonly types?: (given: G) => R
}

export type Listener<G, R = void> = (ctx: Context, given: G) => Promise<R>

/** A hook with those who listen to it, their types checked and then forgotten. */
export interface Binding {
  readonly hook: Hook<never, unknown>
  readonly listeners: readonly Listener<never, unknown>[]
}

export type Hooks = ReadonlyMap<Hook<never, unknown>, readonly Listener<never, unknown>[]>

export function defineHook<G, R = void>(name: string): Hook<G, R> {
  return { name }
}

export function on<G, R>(hook: Hook<G, R>, ...listeners: Listener<NoInfer<G>, NoInfer<R>>[]): Binding {
  return { hook, listeners }
}

/** Throws if a hook is bound twice: nobody would have decided the order of its listeners. */
export function bindHooks(bindings: readonly Binding[]): Hooks {
  const hooks = new Map<Hook<never, unknown>, readonly Listener<never, unknown>[]>()
  for (const { hook, listeners } of bindings) {
    if (hooks.has(hook)) throw new Error(`the hook ${hook.name} is bound twice`)
    hooks.set(hook, listeners)
  }
  return hooks
}

/** Calls the listeners one after another, in their order; returns what each of them returned. The first error ends it. */
export async function callHook<G, R>(ctx: Context, hook: Hook<G, R>, given: G): Promise<R[]> {
  const answers: R[] = []
  for (const listener of listenersOf(ctx, hook)) answers.push(await listener(ctx, given))
  return answers
}

function listenersOf<G, R>(ctx: Context, hook: Hook<G, R>): readonly Listener<G, R>[] {
  return (ctx.hooks.get(hook as Hook<never, unknown>) ?? []) as readonly Listener<G, R>[]
}
