// Work that is too costly to render while requests wait. It is thrown out of the rendering as TooCostly and done in another thread; then
// the rendering, which is synchronous and pure, is run again with the result at hand.
import { fullAllowance, type RenderBudget, shortAllowance } from './meter'
import type { RenderMode } from './output'
import type { Scope } from './substitute'
import type { LiquidFault, LiquidSource } from './syntax'

export interface RenderJob {
  /** `text` makes the plain text of an HTML source first. `textSource` makes the source of that text without rendering it. */
  kind: 'source' | 'text' | 'textSource'
  source: string
  mode: RenderMode
  scope: Scope
}

/** Thrown by a rendering that would hold up everything else. */
export class TooCostly extends Error {
  override name = 'TooCostly'
  constructor(readonly job: RenderJob) {
    super('this template has to be rendered by a thread')
  }
}

/** What threads have rendered, by `keyOf`. */
export type RenderedValues = ReadonlyMap<string, string>

export function keyOf({ kind, mode, source }: Omit<RenderJob, 'scope'>): string {
  return `${kind} ${mode} ${source}`
}

const none: RenderedValues = new Map()
let answers = none
let isPatient = false

/** Runs `work` with these answers at hand; everything that it renders is for one scope. */
export function withAnswers<T>(given: RenderedValues, work: () => T): T {
  const outer = answers
  answers = given
  try {
    return work()
  } finally {
    answers = outer
  }
}

/** The text of a job that another thread has done already. */
export function answerTo(job: RenderJob): string | undefined {
  return answers.size === 0 ? undefined : answers.get(keyOf(job))
}

/** What `make` makes of the source: at once where that is short or nobody else waits, otherwise by a thread. */
export function madeByThread(
  kind: RenderJob['kind'],
  source: string,
  isShort: boolean,
  make: (source: string) => string,
): string {
  if (isShort || isPatient) return make(source)
  const job: RenderJob = { kind, source, mode: 'text', scope: {} }
  const answer = answerTo(job)
  if (answer === undefined) throw new TooCostly(job)
  return answer
}

/** For when nobody else waits: `work` parses and renders everything at once, within the full allowance. */
export function withTime<T>(work: () => T): T {
  const outer = isPatient
  isPatient = true
  try {
    return work()
  } finally {
    isPatient = outer
  }
}

export function hasTime(): boolean {
  return isPatient
}

export function allowance(): RenderBudget {
  return isPatient ? fullAllowance : shortAllowance
}

/** A request to the thread that renders. */
export type RemoteJob = RenderJob | { kind: 'check'; sources: readonly LiquidSource[]; isSaved: boolean }

export interface RemoteAnswer {
  text?: string
  /** Whether the allowance was not enough. */
  isSpent?: boolean
  fault?: LiquidFault | undefined
}
