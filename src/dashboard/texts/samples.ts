// The sample mails to begin with, in the current language: loaded only where somebody writes.
import { queryOptions } from '@tanstack/react-query'
import type { Sample } from './en/samples'
import type { Language } from './language'

const loads: Record<Language, () => Promise<{ samples: readonly Sample[] }>> = {
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
