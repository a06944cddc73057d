// The user's own account: how one signs in, the password, the sessions, and how the dashboard looks.
import { useState } from 'react'
import { answer, api } from '../../api/client'
import { LanguageSelect } from '../../app/language-select'
import { useSession } from '../../app/session'
import { savedTheme, saveTheme, themes } from '../../app/theme'
import { t } from '../../texts'
import { Badge } from '../../ui/badge'
import { Button } from '../../ui/button'
import { ErrorNote } from '../../ui/error-note'
import { Fact } from '../../ui/fact'
import { Field, inputClass } from '../../ui/field'
import { formatDate } from '../../ui/format'
import { Card, Page } from '../../ui/page'
import { toast } from '../../ui/toast'
import { Password } from './password'
import { SecondFactor } from './second-factor'
import { Sessions } from './sessions'

export function Profile() {
  const { user } = useSession()
  return (
    <Page title={t.profile.title} description={user.email}>
      <div className="max-w-3xl space-y-6">
        <Identity />
        {user.type === 'PASSWORD' && <Password />}
        {user.type === 'PASSWORD' && <SecondFactor />}
        <Looks />
        <Sessions />
      </div>
    </Page>
  )
}

function Identity() {
  const { email, type, emailVerified, createdAt } = useSession().user
  return (
    <Card title={t.profile.account}>
      <dl className="grid gap-x-8 gap-y-4 md:grid-cols-3">
        <Fact name={t.words.email}>{email}</Fact>
        <Fact name={t.profile.signInBy}>{t.profile.ways[type]}</Fact>
        <Fact name={t.words.since}>{formatDate(createdAt)}</Fact>
      </dl>
      {emailVerified ? null : <Unproved />}
    </Card>
  )
}

/** Until somebody follows the link in a mail, nobody knows whose address it is. */
function Unproved() {
  const [state, setState] = useState<{ busy: boolean; error?: unknown }>({ busy: false })
  const send = async (): Promise<void> => {
    setState({ busy: true })
    try {
      await answer(api.POST('/auth/request-verification'))
      setState({ busy: false })
      toast(t.profile.linkSent)
    } catch (error) {
      setState({ busy: false, error })
    }
  }
  return (
    <div className="mt-4 space-y-3">
      <p className="flex flex-wrap items-center gap-2">
        <Badge tone="warn">{t.profile.unproved}</Badge>
        <span className="text-quiet">{t.profile.unprovedHint}</span>
      </p>
      <Button busy={state.busy} onClick={send}>
        {t.profile.sendLink}
      </Button>
      {state.error !== undefined && <ErrorNote error={state.error} />}
    </div>
  )
}

function Looks() {
  const [theme, setTheme] = useState(savedTheme)
  const choose = (name: string): void => {
    const next = themes.find(each => each === name) ?? 'system'
    saveTheme(next)
    setTheme(next)
  }
  return (
    <Card title={t.navigation.theme} description={t.profile.looksHint}>
      <div className="grid gap-4 md:grid-cols-2">
        <Field name="theme" label={t.navigation.theme}>
          {control => (
            <select
              {...control}
              className={inputClass}
              value={theme}
              onChange={event => choose(event.target.value)}
            >
              {themes.map(name => (
                <option key={name} value={name}>
                  {t.navigation.themes[name]}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field name="language" label={t.words.language}>
          {control => <LanguageSelect {...control} className={inputClass} />}
        </Field>
      </div>
    </Card>
  )
}
