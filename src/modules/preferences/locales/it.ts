// Italian.
import type { Locale } from '../locale'

export const it: Locale = {
  footer: {
    text: 'Ha ricevuto questa e-mail perché ha accettato di ricevere e-mail da {projectName}.',
    link: 'Annulla iscrizione',
  },
}
