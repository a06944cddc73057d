// Rendering that never holds up requests: at once where it is quick, in a thread of its own where it is not.
import { AppError, type FieldError, tooMany } from '../../../../lib/errors'
import { second } from '../../../../lib/time'
import { keyOf, type RenderJob, TooCostly, withAnswers } from '../../../../liquid/costly'
import type { Context } from '../../../../platform/context'
import { perInstance } from '../../../../platform/per-context'
import { workBudget } from '../../../../platform/rate/work-budget'
import { longWorkQueue } from '../../../../platform/requests'
import { Overrun, Withdrawn } from '../../../../platform/workers/pool'
import { forgive, isGivenUp, isKnownSlow, noteOverrun, reportOverrun } from './overruns'
import { renderThreads } from './threads'

/** A render stops itself earlier; this also covers parsing the source, and what does not stop. */
const renderMs = 1.5 * second
/** A template that took longer than it may. */
export class Unrenderable extends AppError {
  constructor(
    readonly projectId: string,
    readonly hash: string,
    readonly isNew: boolean,
  ) {
    const message = isNew
      ? 'takes longer than a second to render, or makes more than 10 MB'
      : 'took longer than a second to render several times, and is not tried again for an hour'
    const errors: FieldError[] = [{ field: 'body', message, code: 'too_big' }]
    super(422, 'VALIDATION_ERROR', 'The template is too costly to render', {
      errors,
      suggestion: 'Make its loops, lists and filters smaller, then send the request again.',
    })
  }

  /** For the rows of messages that did not leave. */
  get reason(): string {
    return `template: ${this.errors![0]!.message}`
  }
}

/** What a project may have rendered by threads for its requests: a tenth of a processor, and for a while more. */
const budgetOf = workBudget({ burstMs: 10 * second, share: 0.1, of: 'what is costly to render' })

/** Of one project: more have to come back later. */
const maxWaiting = 20

/** A project must not spend all its time at once where others want answers. */
const turnsOf = perInstance(() =>
  longWorkQueue<string>({
    maxPerKey: maxWaiting,
    full: () => tooMany('Too much of this project that is costly to render waits already', 5),
  }),
)

/** Different templates that one message may have rendered by threads. */
const maxByThread = 10

/**
 * What `work` renders, all of it for one scope. It is synchronous and pure, and run again for each template in it that turns out to
 * be costly; `run` may make it wait for its turn. Throws Unrenderable. In a transaction whoever catches that remembers it
 * (`rememberUnrenderable`).
 */
export function renderPatiently<T>(
  ctx: Context,
  projectId: string,
  work: () => T,
  run: (work: () => T) => T | Promise<T> = runNow,
): Promise<T> {
  return render({ ctx, projectId, admit: () => {} }, work, run)
}

/** The same for a request: 429 where it is costly and the project has had too much of that lately. */
export function renderOnRequest<T>(ctx: Context, projectId: string, work: () => T): Promise<T> {
  const inTurn = (piece: () => Promise<void>) => turnsOf(ctx)(ctx.requests, projectId, piece)
  return render(requestRenderer(ctx, projectId), work, runNow, inTurn)
}

export function requestRenderer(ctx: Context, projectId: string): Renderer {
  return { ctx, projectId, admit: () => budgetOf(ctx).admit(ctx, projectId) }
}

export interface Renderer {
  ctx: Context
  projectId: string
  /** Throws if nothing costly is to begin. */
  admit(): void
}

async function render<T>(
  renderer: Renderer,
  work: () => T,
  run: (work: () => T) => T | Promise<T>,
  inTurn: (piece: () => Promise<void>) => Promise<void> = runNow,
): Promise<T> {
  const answers = new Map<string, string>()
  for (;;) {
    try {
      return await run(() => withAnswers(answers, work))
    } catch (error) {
      if (!(error instanceof TooCostly)) throw error
      const { job } = error
      await inTurn(() => fetchText(renderer, answers, job))
    }
  }
}

/** Has a thread do the job. Throws Unrenderable, or what `admit` throws. */
export async function fetchText(
  renderer: Renderer,
  answers: Map<string, string>,
  job: RenderJob,
): Promise<void> {
  const hash = hashOf(job)
  if (answers.size >= maxByThread) throw new Unrenderable(renderer.projectId, hash, true)
  answers.set(keyOf(job), await renderByThread(renderer, job, hash))
}

const runNow = <T>(work: () => T): T => work()

/** Throws what `fetchText` throws before it begins: the template is given up, or nothing costly may begin. */
export async function requireRendering(renderer: Renderer, job: RenderJob): Promise<void> {
  await requireAllowed(renderer, hashOf(job))
}

async function requireAllowed({ ctx, projectId, admit }: Renderer, hash: string): Promise<void> {
  if (await isGivenUp(ctx, projectId, hash)) throw new Unrenderable(projectId, hash, false)
  admit()
}

async function renderByThread(renderer: Renderer, job: RenderJob, hash: string): Promise<string> {
  const { ctx, projectId } = renderer
  await requireAllowed(renderer, hash)
  const text = await inThread(ctx, projectId, job, hash)
  if (text !== undefined) {
    await forgive(ctx, projectId, hash)
    return text
  }
  noteOverrun(ctx, projectId, hash)
  const unrenderable = new Unrenderable(projectId, hash, true)
  if ('begin' in ctx.sql) await rememberUnrenderable(ctx, unrenderable)
  throw unrenderable
}

/** Undefined if it took too long. */
async function inThread(
  ctx: Context,
  projectId: string,
  job: RenderJob,
  hash: string,
): Promise<string | undefined> {
  try {
    const isWanted = (): boolean => !isKnownSlow(ctx, projectId, hash)
    const spent = (ms: number): void => budgetOf(ctx).spend(ctx, projectId, ms)
    const { text } = await renderThreads().run(projectId, job, renderMs, { isWanted, spent })
    return text
  } catch (error) {
    if (error instanceof Withdrawn) throw new Unrenderable(projectId, hash, false)
    if (!(error instanceof Overrun)) throw error
    ctx.log.warn({ projectId, template: hash }, 'a template was stopped while it was rendered')
    return undefined
  }
}

/** Where the transaction that it was rendered in is undone, or goes on without it. */
export async function rememberUnrenderable(ctx: Context, error: unknown): Promise<void> {
  if (error instanceof Unrenderable && error.isNew) await reportOverrun(ctx, error.projectId, error.hash)
}

function hashOf(job: RenderJob): string {
  return new Bun.CryptoHasher('sha256').update(keyOf(job)).digest('hex')
}
