// The sample mails to begin with: loaded only where somebody writes.
import { queryOptions } from '@tanstack/react-query'
import type { Sample } from './en/samples'
import type { Language } from './language'

export interface SampleTexts {
  samples: readonly Sample[]
  /** The postal address in all of them, its parts divided by " · ". */
  address: string
  /** What fits in a mail of anybody's, such as a greeting: all else has to be replaced before a mail is sent. */
  mayStay: readonly string[]
}

const loads: Record<Language, () => Promise<SampleTexts>> = {
  en: () => import('./en/samples'),
  de: () => import('./de/samples'),
  fr: () => import('./fr/samples'),
}

/** In the current language. */
export const samplesQuery = (language: Language) =>
  queryOptions({
    queryKey: ['samples', language],
    queryFn: async () => (await loads[language]()).samples,
    staleTime: Number.POSITIVE_INFINITY,
  })

/** In every language. */
export async function allSamples(): Promise<SampleTexts[]> {
  return await Promise.all(Object.values(loads).map(load => load()))
}
