// The sentences of hosted pages and of the letters that lead to them, with the facts that belong where they say `{name}`. Pure.
import { escapeHtml } from '../../../lib/escape'
import type { SnoozeDuration } from '../../audience/contacts'

type Facts = Readonly<Record<string, string>>

const placeholder = /\{(\w+)\}/g

/** As plain text. A placeholder that nobody fills stays as it is. */
export function sentenceAsText(sentence: string, facts: Facts): string {
  return sentence.replace(placeholder, (whole, name: string) => facts[name] ?? whole)
}

/**
 * As HTML. Names and addresses may be written from right to left and must not turn the sentence around, hence `bdi`; `elements` are HTML
 * already.
 */
export function sentenceAsHtml(sentence: string, facts: Facts, elements: Facts = {}): string {
  const isolated = Object.entries(facts).map(([name, fact]) => [name, `<bdi>${escapeHtml(fact)}</bdi>`])
  return sentenceAsText(escapeHtml(sentence), { ...Object.fromEntries(isolated), ...elements })
}

/** The day by UTC, as the language writes it: `23 November 2026`. */
export function dateInWords(date: Date, code: string): string {
  return new Intl.DateTimeFormat(code, { dateStyle: 'long', timeZone: 'UTC' }).format(date)
}

/** `2_weeks`, as the language writes it: `2 weeks`. */
export function durationInWords(duration: SnoozeDuration, code: string): string {
  const [count, unit] = duration.split('_')
  const options = { style: 'unit', unit: unit!.replace(/s$/, ''), unitDisplay: 'long' } as const
  return new Intl.NumberFormat(code, options).format(Number(count))
}
