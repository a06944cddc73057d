// Requests a link for setting a new password. The answer does not depend on whether there is such an account.
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { answer, api } from '../../api/client'
import { t } from '../../texts'
import { Form, SubmitButton, type Values } from '../../ui/form'
import { EmailField } from './email-field'
import { Heading, textLink } from './heading'

export function Forgotten() {
  const [sentTo, setSentTo] = useState<string>()
  const request = async ({ email = '' }: Values): Promise<void> => {
    await answer(api.POST('/auth/request-password-reset', { body: { email } }))
    setSentTo(email)
  }
  return (
    <>
      {sentTo === undefined ? (
        <>
          <Heading title={t.account.forgottenTitle}>{t.account.forgottenHint}</Heading>
          <Form onSubmit={request}>
            <EmailField />
            <SubmitButton className="w-full">{t.account.sendLink}</SubmitButton>
          </Form>
        </>
      ) : (
        <Heading title={t.account.linkSent}>{t.account.linkSentHint(sentTo)}</Heading>
      )}
      <Link to="/sign-in" className={textLink}>
        {t.account.backToSignIn}
      </Link>
    </>
  )
}
