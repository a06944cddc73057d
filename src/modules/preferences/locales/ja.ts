// Japanese.
import type { Locale } from '../locale'

export const ja: Locale = {
  footer: {
    text: 'このメールは、{projectName} からのメールの受信に同意された方にお送りしています。',
    link: '配信停止',
  },
}
