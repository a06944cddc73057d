// English.
import type { Locale } from '../locale'

export const en: Locale = {
  footer: {
    text: 'You received this email because you agreed to receive email from {projectName}.',
    link: 'Unsubscribe',
  },
}
