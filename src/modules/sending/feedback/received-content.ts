// What somebody who wrote to us says: subject, HTML that is safe to show, and text. It takes as long as the sender likes, so a thread does it
// (src/mail-worker.ts). Pure.
import { htmlToText } from '../../../lib/html-text'
import { storable } from '../../../lib/storable'
import { readForeignMail } from '../../../mail/mime/foreign'

export interface ReceivedContent {
  subject: string | undefined
  messageId: string | undefined
  html: string
  text: string
}

const maxBodyLength = 500_000

/** Rejects where it is not a message, or one beyond the bounds. */
export async function readReceivedContent(raw: Uint8Array): Promise<ReceivedContent> {
  const limits = { maxNestingDepth: 20, maxRfc822NestingDepth: 0 }
  const mail = await readForeignMail(raw, limits)
  const html = await sanitiseHtml(mail.html ?? '')
  const text = mail.text || htmlToText(html, { showsLink: href => /^https?:/i.test(href) })
  const { subject, messageId } = mail
  return { subject, messageId, html, text: storable(text).slice(0, maxBodyLength) }
}

async function sanitiseHtml(html: string): Promise<string> {
  if (html === '') return ''
  // Loaded here, because reports need none of it, and the thread less memory without it.
  const { default: sanitizeHtml } = await import('sanitize-html')
  const { allowedTags, allowedAttributes } = sanitizeHtml.defaults
  const cleaned = sanitizeHtml(firstTags(html.slice(0, maxBodyLength)), {
    allowedTags: [...allowedTags, 'img'],
    allowedAttributes: { ...allowedAttributes, '*': ['style'] },
    allowedSchemes: ['http', 'https', 'mailto'],
    allowProtocolRelative: false,
    nestingLimit: 100,
    // No style is allowed or refused by its contents, so there is no need to parse it.
    parseStyleAttributes: false,
  })
  return storable(cleaned).slice(0, maxBodyLength)
}

/** Deep nesting costs the sanitiser the square of the number of tags. */
const maxTags = 15_000

function firstTags(html: string): string {
  let end = html.indexOf('<')
  for (let tags = 0; end !== -1 && tags < maxTags; tags++) end = html.indexOf('<', end + 1)
  return end === -1 ? html : html.slice(0, end)
}
