// Bulgarian.
import type { Locale } from '../locale'

export const bg: Locale = {
  footer: {
    text: 'Получавате този имейл, защото сте се съгласили да получавате имейли от {projectName}.',
    link: 'Отписване',
  },
}
