// A new password for one's own account.
import { useState } from 'react'
import { answer, api } from '../../api/client'
import { t } from '../../texts'
import { TextField } from '../../ui/field'
import { Form, SubmitButton, type Values } from '../../ui/form'
import { Card } from '../../ui/page'
import { toast } from '../../ui/toast'
import { CurrentPassword } from './current-password'

export function Password() {
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
        <SubmitButton look="plain">{t.profile.changePassword}</SubmitButton>
      </Form>
    </Card>
  )
}
