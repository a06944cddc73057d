// French.
import type { Locale } from '../locale'

export const fr: Locale = {
  footer: {
    text: 'Vous recevez cet e-mail parce que vous avez accepté de recevoir des e-mails de {projectName}.',
    link: 'Se désabonner',
  },
}
