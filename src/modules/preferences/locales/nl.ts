// Dutch.
import type { Locale } from '../locale'

export const nl: Locale = {
  footer: {
    text: 'Je ontvangt deze e-mail omdat je ermee hebt ingestemd e-mail van {projectName} te ontvangen.',
    link: 'Afmelden',
  },
}
