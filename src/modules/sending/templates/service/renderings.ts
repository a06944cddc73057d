// Rendering inside a transaction that is begun again until all of it is at hand: whatever is costly is rendered between two attempts, while
// nothing is held.
import { type RenderJob, TooCostly, withAnswers } from '../../../../liquid/costly'
import type { Context } from '../../../../platform/context'
import { fetchText, requestRenderer, requireRendering } from './render'

export interface Renderings {
  /**
   * What `work` renders, all of it for the one scope that `scope` names; undefined while something costly of it is missing. `work` is
   * synchronous and pure.
   */
  take<T>(scope: string, work: () => T): T | undefined
  /** Throws what `complete` would throw for this job without rendering it. */
  require(job: RenderJob): Promise<void>
  /** Renders what was missing, each of it within `bounds`. Throws Unrenderable, and 429 where the project has had too much lately. */
  complete(bounds: (work: () => Promise<void>) => Promise<void>): Promise<void>
}

export function requestRenderings(ctx: Context, projectId: string): Renderings {
  const renderer = requestRenderer(ctx, projectId)
  const texts = new Map<string, Map<string, string>>()
  const missing = new Map<string, RenderJob>()
  const textsOf = (scope: string): Map<string, string> => {
    const known = texts.get(scope) ?? new Map<string, string>()
    texts.set(scope, known)
    return known
  }
  return {
    take(scope, work) {
      try {
        return withAnswers(textsOf(scope), work)
      } catch (error) {
        if (!(error instanceof TooCostly)) throw error
        missing.set(scope, error.job)
        return undefined
      }
    },
    require: job => requireRendering(renderer, job),
    async complete(bounds) {
      for (const [scope, job] of missing) await bounds(() => fetchText(renderer, textsOf(scope), job))
      missing.clear()
    },
  }
}
