// The mail as it arrives: rendered by the server for some contact, on a wide and a narrow screen, in dark mode, as text, with the findings
// of the check before sending.
import { useQuery } from '@tanstack/react-query'
import { FileText, Monitor, Moon, Smartphone, Sun } from 'lucide-react'
import { useMemo, useState } from 'react'
import { t } from '../texts'
import { classes } from '../ui/classes'
import { CodeBlock } from '../ui/copy'
import { ErrorNote } from '../ui/error-note'
import { Select } from '../ui/field'
import { Loading } from '../ui/loading'
import { FittedMail } from '../ui/mail/fitted'
import { useRested } from '../ui/rested'
import { Segmented } from '../ui/segmented'
import { useIsNarrow } from '../ui/use-media'
import { readable } from './check'
import { previewQuery, type Shown, someContactsQuery } from './data'
import { PreviewFindings } from './findings'

const screens = {
  desktop: <Monitor aria-hidden />,
  phone: <Smartphone aria-hidden />,
  text: <FileText aria-hidden />,
}
type Screen = keyof typeof screens

interface MailPreviewProps extends Omit<Shown, 'contactId'> {
  /** Who it is from, where it takes the whole page; else it is narrow. */
  from?: string
  /** Makes the editor visible, for an error that leads there. */
  onWrite?: () => void
}

export function MailPreview({ onWrite, from, ...message }: MailPreviewProps) {
  const [contactId, setContactId] = useState('')
  const [screen, setScreen] = useState<Screen>(useIsNarrow() ? 'phone' : 'desktop')
  const [isDark, setDark] = useState(false)
  const { subject, body, type, layoutId, layout } = message
  const asked = useMemo(
    () => ({ subject, body, type, layoutId, layout, contactId }),
    [subject, body, type, layoutId, layout, contactId],
  )
  const shown = useRested(asked, 500)
  const query = useQuery(previewQuery({ ...shown, contactId: shown.contactId || undefined }))
  const { data, error } = query
  const isPage = from !== undefined
  return (
    <section
      aria-label={t.writing.sideNames.preview}
      className={classes('grid min-w-0', isPage && 'xl:grid-cols-[minmax(0,1fr)_18rem]')}
    >
      <div className={classes('min-w-0', isPage && 'bg-sunken')}>
        <div
          className={classes(
            'flex flex-wrap items-center gap-2',
            isPage && 'border-b border-line bg-ground px-4 py-2 md:sticky md:top-14 md:z-10',
          )}
        >
          <Segmented
            label={t.writing.screen}
            segments={Object.entries(screens).map(([name, icon]) => ({
              name: name as Screen,
              label: t.writing.screens[name as Screen],
              icon,
            }))}
            value={screen}
            onChange={setScreen}
          />
          <Segmented
            label={t.writing.scheme}
            segments={[
              { name: 'light', label: t.writing.light, icon: <Sun aria-hidden /> },
              { name: 'dark', label: t.writing.dark, icon: <Moon aria-hidden /> },
            ]}
            value={isDark ? 'dark' : 'light'}
            onChange={scheme => setDark(scheme === 'dark')}
          />
          <span className="flex-1" />
          <ContactChoice value={contactId} onChange={setContactId} />
        </div>
        <div className={classes('space-y-3', isPage ? 'px-4 py-6' : 'pt-3')}>
          {error && <ErrorNote error={readable(error, shown, onWrite)} />}
          {!data && !error && <Loading lines={8} />}
          {data && !isPage && <PreviewFindings {...data} />}
          {data && (
            <div className={classes('mx-auto', screen === 'phone' ? 'max-w-[375px]' : 'max-w-[680px]')}>
              {data.subject && (
                <div
                  className={classes(
                    isPage && 'rounded-t-lg border border-b-0 border-line bg-sheet px-4 py-3',
                  )}
                >
                  {isPage && <p className="truncate text-quiet">{from}</p>}
                  <p className={classes('font-medium', isPage ? 'text-base wrap-anywhere' : 'truncate')}>
                    {data.subject}
                  </p>
                </div>
              )}
              {screen === 'text' ? (
                <CodeBlock code={data.text} />
              ) : (
                <FittedMail
                  html={asSeen(data.html, isDark)}
                  title={data.subject || t.writing.sideNames.preview}
                  width={screen === 'phone' ? 375 : 680}
                />
              )}
            </div>
          )}
        </div>
      </div>
      {data && isPage && (
        <aside
          aria-label={t.writing.checks}
          className="space-y-3 border-line p-4 max-xl:border-t xl:border-l"
        >
          <h2 className="font-semibold">{t.writing.checks}</h2>
          <PreviewFindings {...data} />
        </aside>
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
      className="md:max-w-64"
      value={value}
      options={[
        ['', t.writing.nobody],
        ...data.map(({ id, email }) => [id, t.writing.asContact(email)] as const),
      ]}
      onChange={onChange}
    />
  )
}
