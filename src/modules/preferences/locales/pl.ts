// Polish.
import type { Locale } from '../locale'

export const pl: Locale = {
  footer: {
    text: 'Otrzymujesz tę wiadomość, ponieważ wyrażono zgodę na otrzymywanie wiadomości od {projectName}.',
    link: 'Wypisz się',
  },
}
