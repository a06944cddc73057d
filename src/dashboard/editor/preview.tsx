// The mail beside the editor: rendered by the server for some contact, on a wide and a narrow screen, in dark mode, as text, with the
// findings of the check before sending.
import { useQuery } from '@tanstack/react-query'
import { Moon } from 'lucide-react'
import { useMemo, useState } from 'react'
import { t } from '../texts'
import { IconButton } from '../ui/button'
import { classes } from '../ui/classes'
import { CodeBlock } from '../ui/copy'
import { ErrorNote } from '../ui/error-note'
import { Select } from '../ui/field'
import { Loading } from '../ui/loading'
import { FittedMail } from '../ui/mail/fitted'
import { useRested } from '../ui/rested'
import { Tabs } from '../ui/tabs'
import { readable } from './check'
import { previewQuery, type Shown, someContactsQuery } from './data'
import { PreviewFindings } from './findings'

const screens = ['desktop', 'phone', 'text'] as const

interface MailPreviewProps extends Omit<Shown, 'contactId'> {
  /** Makes the editor visible, for an error that leads there. */
  onWrite?: () => void
}

export function MailPreview({ onWrite, ...message }: MailPreviewProps) {
  const [contactId, setContactId] = useState('')
  const [screen, setScreen] = useState<(typeof screens)[number]>('desktop')
  const [isDark, setDark] = useState(false)
  const { subject, body, type, layoutId, layout } = message
  const asked = useMemo(
    () => ({ subject, body, type, layoutId, layout, contactId }),
    [subject, body, type, layoutId, layout, contactId],
  )
  const shown = useRested(asked, 500)
  const query = useQuery(previewQuery({ ...shown, contactId: shown.contactId || undefined }))
  const { data, error } = query
  return (
    <section aria-label={t.writing.sideNames.preview} className="min-w-0 space-y-3">
      <div className="flex items-center gap-2">
        <ContactChoice value={contactId} onChange={setContactId} />
        <IconButton
          label={t.writing.dark}
          look="plain"
          aria-pressed={isDark}
          className={classes('shrink-0', isDark && 'bg-hover text-ink')}
          onClick={() => setDark(!isDark)}
        >
          <Moon aria-hidden />
        </IconButton>
      </div>
      {error && <ErrorNote error={readable(error, shown, onWrite)} />}
      {!data && !error && <Loading lines={8} />}
      {data && (
        <>
          <PreviewFindings {...data} />
          {data.subject && <p className="truncate font-medium">{data.subject}</p>}
          <Tabs
            label={t.writing.sideNames.preview}
            tabs={screens.map(name => ({ name, label: t.writing.screens[name] }))}
            value={screen}
            onChange={setScreen}
          >
            {screen === 'text' ? (
              <CodeBlock code={data.text} />
            ) : (
              <FittedMail
                html={asSeen(data.html, isDark)}
                title={data.subject || t.writing.sideNames.preview}
                width={screen === 'phone' ? 375 : 680}
              />
            )}
          </Tabs>
        </>
      )}
    </section>
  )
}

/** The frame has the viewer's screen; the mail's rules for dark screens are forced to apply, or not to. */
function asSeen(html: string, isDark: boolean): string {
  return html.replaceAll(
    /\(\s*prefers-color-scheme:\s*dark\s*\)/g,
    isDark ? '(min-width: 0)' : '(max-width: 0)',
  )
}

function ContactChoice({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const { data = [] } = useQuery(someContactsQuery(''))
  return (
    <Select
      label={t.writing.seenBy}
      value={value}
      options={[
        ['', t.writing.nobody],
        ...data.map(({ id, email }) => [id, t.writing.asContact(email)] as const),
      ]}
      onChange={onChange}
    />
  )
}
