// Swedish.
import type { Locale } from '../locale'

export const sv: Locale = {
  footer: {
    text: 'Du får det här e-postmeddelandet eftersom du har godkänt att ta emot e-post från {projectName}.',
    link: 'Avsluta prenumerationen',
  },
}
