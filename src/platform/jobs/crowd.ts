// A band in which more jobs are due than are claimed at a time. Oldest first would let whoever has a hundred thousand of them stand in
// front of everybody: so the projects that have due jobs are listed, and take turns.
import { type ClaimRequest, type FoundLine, linesAtOnce } from './queries'
import type { Band } from './schema'

/** Between two looks for projects that are not listed yet. */
const surveyEveryMs = 100
/** A look that took long (a backup keeps the index from being cleaned) is not repeated before this many times as long. */
const surveyRest = 20

export class Crowd {
  /** The lines with due jobs, the next in turn first, and from when on theirs are due. */
  readonly #lines = new Map<string, Date>()
  /** Where the next survey goes on. */
  #after = ''
  #nextSurvey = Number.NEGATIVE_INFINITY
  /** The last survey came to the end of the projects. */
  #isListed = false

  constructor(readonly band: Band) {}

  /** Whether to look who else has due jobs; `isOpen` says of a project that more of its jobs may be taken. */
  needsSurvey(isOpen: (line: string) => boolean): boolean {
    return performance.now() >= this.#nextSurvey || !this.hasOpen(isOpen)
  }

  hasOpen(isOpen: (line: string) => boolean): boolean {
    return this.#lines.keys().some(isOpen)
  }

  get isEmpty(): boolean {
    return this.#lines.size === 0
  }

  /** All who were found have been served, and the survey that found them came to the end. */
  get isOver(): boolean {
    return this.isEmpty && this.#isListed
  }

  get surveyAfter(): string {
    return this.#after
  }

  /** Takes what a survey found. Returns whether it came to the end of the projects: the next one begins anew. */
  learn(found: readonly FoundLine[], tookMs: number): boolean {
    for (const { line, dueAt } of found) if (dueAt) this.#lines.set(line, dueAt)
    const isEnd = found.length < linesAtOnce
    this.#isListed = isEnd
    this.#after = isEnd ? '' : found.at(-1)!.line
    this.#nextSurvey = performance.now() + Math.max(surveyEveryMs, surveyRest * tookMs)
    return isEnd
  }

  /** As many places for each open project; where there are fewer places than projects, for those whose turn it is. */
  requests(places: number, isOpen: (line: string) => boolean): ClaimRequest[] {
    const open = [...this.#lines].filter(([line]) => isOpen(line))
    const turns = open.slice(0, places)
    return turns.map(([line, since], index) => {
      this.#lines.delete(line)
      this.#lines.set(line, since)
      return { band: this.band, line, since, places: Math.ceil((places - index) / turns.length) }
    })
  }

  /** What came of a request: where fewer were found than there were places, the project has no more. */
  took(line: string, last: Date | undefined): void {
    if (last) this.#lines.set(line, last)
    else this.#lines.delete(line)
  }
}
