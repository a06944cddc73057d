// German.
import type { Locale } from '../locale'

export const de: Locale = {
  footer: {
    text: 'Sie erhalten diese E-Mail, weil Sie dem Empfang von E-Mails von {projectName} zugestimmt haben.',
    link: 'Abmelden',
  },
}
