// What a check of `waxwing doctor` is, and how its findings are printed: one line each, with what to paste below it.

export type FindingLevel = 'ok' | 'warn' | 'FAIL'

export interface Finding {
  level: FindingLevel
  about: string
  /** What was found; further lines are shown indented. */
  words: string
}

export interface Check {
  about: string
  /** Rejects with what is wrong, which counts as one failure. */
  run(): Promise<Finding[]>
}

export function pass(about: string, words: string): Finding {
  return { level: 'ok', about, words }
}

export function warn(about: string, words: string): Finding {
  return { level: 'warn', about, words }
}

export function fail(about: string, words: string): Finding {
  return { level: 'FAIL', about, words }
}

const indent = '      '

export function printed({ level, about, words }: Finding): string {
  return `${level.padEnd(5)} ${about}: ${words
    .split('\n')
    .map(line => line.trimEnd())
    .join(`\n${indent}`)}`
}
