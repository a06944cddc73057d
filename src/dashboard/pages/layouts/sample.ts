// The mail that layouts are shown around, with the texts of the current language.
import { button, heading, mail, paragraph } from '../../editor/mail/build'
import { renderMail } from '../../editor/mail/render'
import { t } from '../../texts'

export function sampleContent(): string {
  const { sampleHeading, sampleText, sampleMore, sampleButton } = t.layouts
  const blocks = [
    heading(sampleHeading),
    paragraph(sampleText),
    paragraph(sampleMore),
    button(sampleButton, 'https://example.com'),
  ]
  return renderMail(mail('', blocks))
}
