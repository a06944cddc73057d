// The sample mails to begin with, in the current language: loaded only where somebody writes.
import { queryOptions } from '@tanstack/react-query'
import type { Sample } from './en/samples'
import type { Language } from './language'

const loads: Record<Language, () => Promise<{ samples: readonly Sample[]; leftovers: readonly string[] }>> = {
  en: () => import('./en/samples'),
  de: () => import('./de/samples'),
  fr: () => import('./fr/samples'),
}

export const samplesQuery = (language: Language) =>
  queryOptions({
    queryKey: ['samples', language],
    queryFn: async () => (await loads[language]()).samples,
    staleTime: Number.POSITIVE_INFINITY,
  })

/** What is left of a sample that has to be replaced. */
export const leftoversQuery = (language: Language) =>
  queryOptions({
    queryKey: ['samples', 'leftovers', language],
    queryFn: async () => (await loads[language]()).leftovers,
    staleTime: Number.POSITIVE_INFINITY,
  })
