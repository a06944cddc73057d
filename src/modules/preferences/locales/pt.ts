// Portuguese.
import type { Locale } from '../locale'

export const pt: Locale = {
  footer: {
    text: 'Recebeu este e-mail porque aceitou receber e-mails de {projectName}.',
    link: 'Cancelar subscrição',
  },
}
