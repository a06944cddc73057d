// Asking for the link to one's data. A link of a mail may have been passed on, or kept by a mail program, so it opens nothing by itself: the way to
// the data goes by a mail to the contact's own address, at most one a day.
import { notFound } from '../../../../lib/errors'
import { after, day } from '../../../../lib/time'
import { type Context, inTransaction } from '../../../../platform/context'
import { type ComposedEmail, composeEmail, sendSystemMail } from '../../../accounts/system-emails'
import { spendTurn } from '../../../accounts/users'
import { findSuppressed } from '../../../sending/emails'
import {
  dateInWords,
  findRecipient,
  type ListLink,
  type PreferencesRecipient,
  pickLocale,
  sentenceAsText,
} from '../../../sending/preferences'
import { privacyUrl } from '../link'

/** A link is good for a day. */
const linkLifeMs = day
/** Mails of one person. */
const oneADay = { limit: 1, windowMs: day }

/** Whom the link is about; 404 for a false link, and where the project does not offer it. The answer does not say whether a mail leaves. */
export async function askForLink(ctx: Context, link: ListLink): Promise<PreferencesRecipient> {
  const recipient = await findRecipient(ctx, link)
  if (!recipient.offersData) throw notFound('Contact', recipient.id, 'CONTACT_NOT_FOUND')
  const { id: contactId, projectId, email, projectName } = recipient
  await inTransaction(ctx, async tx => {
    const [suppressed] = await findSuppressed(tx, [{ projectId, email }])
    if (suppressed) return
    const wait = await spendTurn(tx, 'client', `privacy mail ${projectId} ${email}`, oneADay)
    if (wait !== undefined) return
    const expiresAt = after(tx.clock.now(), linkLifeMs)
    const url = privacyUrl(tx.vault, tx.config.baseUrl, { projectId, contactId, expiresAt }, email)
    const written = composeLinkEmail(recipient, url, expiresAt)
    await sendSystemMail(tx, { to: email, fromName: projectName, ...written })
  })
  return recipient
}

/** In the contact's language, and in the name of the project. */
function composeLinkEmail(recipient: PreferencesRecipient, url: string, expiresAt: Date): ComposedEmail {
  const { email, projectName, locale, projectLanguage } = recipient
  const { code, privacy, forms } = pickLocale(locale, projectLanguage)
  const facts = { email, projectName, date: dateInWords(expiresAt, code) }
  const fill = (text: string): string => sentenceAsText(text, facts)
  return composeEmail({
    subject: fill(privacy.mail.subject),
    opening: [fill(privacy.mail.text)],
    link: { words: privacy.title, url },
    closing: [fill(forms.mail.until), privacy.mail.ignore],
    from: { name: projectName, language: code },
  })
}
