// The footer of marketing mail: why the recipient gets it and how to stop it, in the recipient's language.

import { escapeHtml } from '../../../lib/escape'
import type { Footer } from '../emails'
import { pickLocale } from './language'

export interface FooterFacts {
  projectName: string
  /** The project's own language. */
  language: string
  /** The recipient's, as stored in `data.locale`. */
  locale: unknown
  unsubscribeUrl: string
}

export function marketingFooter({ projectName, language, locale, unsubscribeUrl }: FooterFacts): Footer {
  const { footer, unsubscribe } = pickLocale(locale, language)
  const link = unsubscribe.button
  const sentence = footer.replace('{projectName}', () => projectName)
  return {
    html:
      '<div style="margin-top:32px;padding:16px;text-align:center;font-family:sans-serif;font-size:12px;line-height:1.5;color:#6b7280">' +
      `${escapeHtml(sentence)} <a href="${escapeHtml(unsubscribeUrl)}" style="color:#6b7280">${escapeHtml(link)}</a></div>`,
    text: `${sentence}\n${link}: ${unsubscribeUrl}`,
  }
}
