// The user's own account: how one signs in, the password, the sessions, and how the dashboard looks.

import { useState } from 'react'
import { answer, api } from '../../api/client'
import { LanguageSelect } from '../../app/language-select'
import { useSession } from '../../app/session'
import { savedTheme, saveTheme, themes } from '../../app/theme'
import { t } from '../../texts'
import { Badge } from '../../ui/badge'
import { useAttempt } from '../../ui/busy'
import { Button } from '../../ui/button'
import { ErrorNote } from '../../ui/error-note'
import { Fact } from '../../ui/fact'
import { Field, inputClass, Select, TextField } from '../../ui/field'
import { Form, SubmitButton, type Values } from '../../ui/form'
import { formatDate } from '../../ui/format'
import { Card, Page } from '../../ui/page'
import { toast } from '../../ui/toast'
import { CurrentPassword, SecondFactor } from './second-factor'
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
        <Fact name={t.profile.signInBy}>{t.profile.signInMethods[type]}</Fact>
        <Fact name={t.words.since}>{formatDate(createdAt)}</Fact>
      </dl>
      {emailVerified ? null : <Unproved />}
    </Card>
  )
}

/** Until somebody follows the link in a mail, nobody knows whose address it is. */
function Unproved() {
  const { busy, error, run } = useAttempt()
  const send = async (): Promise<void> => {
    await answer(api.POST('/auth/request-verification'))
    toast(t.profile.linkSent)
  }
  return (
    <div className="mt-4 space-y-3">
      <p className="flex flex-wrap items-center gap-2">
        <Badge tone="warn">{t.profile.unproved}</Badge>
        <span className="text-quiet">{t.profile.unprovedHint}</span>
      </p>
      <Button busy={busy} onClick={() => run(send)}>
        {t.profile.sendLink}
      </Button>
      {error !== undefined && <ErrorNote error={error} />}
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
            <Select
              {...control}
              value={theme}
              options={themes.map(name => [name, t.navigation.themes[name]])}
              onChange={choose}
            />
          )}
        </Field>
        <Field name="language" label={t.words.language}>
          {control => <LanguageSelect {...control} className={inputClass} />}
        </Field>
      </div>
    </Card>
  )
}

/** A new password for one's own account. */
function Password() {
  // A new form once it is done, so that nothing typed remains.
  const [times, setTimes] = useState(0)
  const change = async ({ currentPassword = '', newPassword = '' }: Values): Promise<void> => {
    await answer(api.POST('/users/@me/password', { body: { currentPassword, newPassword } }))
    setTimes(times + 1)
    toast(t.profile.passwordChanged)
  }
  return (
    <Card title={t.words.password} description={t.profile.passwordHint}>
      <Form key={times} onSubmit={change}>
        <div className="grid gap-4 md:grid-cols-2">
          <CurrentPassword name="currentPassword" />
          <TextField
            name="newPassword"
            type="password"
            label={t.profile.newPassword}
            hint={t.account.passwordHint}
            autoComplete="new-password"
            minLength={8}
            required
          />
        </div>
        <SubmitButton variant="plain">{t.profile.changePassword}</SubmitButton>
      </Form>
    </Card>
  )
}
