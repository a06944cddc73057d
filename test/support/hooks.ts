// A Context in which other listeners stand behind some hooks.
import type { Context } from '../../src/platform/context'
import { type Binding, bindHooks } from '../../src/platform/hooks'

export function withHooks(ctx: Context, ...bindings: Binding[]): Context {
  return { ...ctx, hooks: new Map([...ctx.hooks, ...bindHooks(bindings)]) }
}
