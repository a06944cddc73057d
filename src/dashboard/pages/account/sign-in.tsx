// Signing in with a password or a provider, and requesting a link for setting a new password.
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link, Navigate } from '@tanstack/react-router'
import { useState } from 'react'
import { answer, api } from '../../api/client'
import { ApiError } from '../../api/error'
import { leaveFor, pageAddress } from '../../app/page-address'
import { configQuery } from '../../app/session'
import { t } from '../../texts'
import { Button } from '../../ui/button'
import { TextField } from '../../ui/field'
import { Form, SubmitButton, type Values } from '../../ui/form'
import { EmailField, Heading, PasswordField, textLink } from './fields'
import { Providers } from './providers'

const route = getRouteApi('/outside/sign-in')

export function SignIn() {
  const search = route.useSearch()
  const next = search.next?.startsWith('/') ? search.next : '/'
  const [token, setToken] = useState<string>()
  const { signup } = useSuspenseQuery(configQuery).data.features
  if (signup.isFirstAccount) return <Navigate to="/sign-up" hash={location.hash.slice(1)} replace />
  // A link from a mail leads to its project, whichever one this browser showed last.
  const enter = (): void => leaveFor(pageAddress.projectId, next)
  const signIn = async ({ email = '', password = '' }: Values): Promise<void> => {
    try {
      await answer(api.POST('/auth/login', { body: { email, password } }))
      enter()
    } catch (error) {
      const asked = tokenOf(error)
      if (asked === undefined) throw error
      setToken(asked)
    }
  }
  if (token !== undefined) return <CodeStep token={token} onDone={enter} onBack={() => setToken(undefined)} />
  return (
    <>
      <Heading title={t.account.signInTitle} />
      <Form onSubmit={signIn}>
        <EmailField />
        <PasswordField
          name="password"
          label={t.words.password}
          autoComplete="current-password"
          aside={
            <Link to="/forgotten" className={textLink}>
              {t.account.forgotten}
            </Link>
          }
        />
        <SubmitButton className="w-full">{t.account.signIn}</SubmitButton>
      </Form>
      <Providers next={next} />
      {!signup.signupsDisabled && (
        <p className="text-quiet">
          {t.account.noAccount}{' '}
          <Link to="/sign-up" className={textLink}>
            {t.account.signUp}
          </Link>
        </p>
      )}
    </>
  )
}

/** The token of the second step, where the right password was not enough. */
function tokenOf(error: unknown): string | undefined {
  if (!(error instanceof ApiError) || error.code !== 'SECOND_FACTOR_REQUIRED') return undefined
  return String(error.about.details?.['token'])
}

interface CodeStepProps {
  /** The token that the first step was answered with. */
  token: string
  onDone: () => void
  onBack: () => void
}

/** The second step: the code of an authenticator, or a recovery code. */
function CodeStep({ token, onDone, onBack }: CodeStepProps) {
  const enter = async ({ code = '' }: Values): Promise<void> => {
    await answer(api.POST('/auth/login/second-factor', { body: { token, code } }))
    onDone()
  }
  return (
    <>
      <Heading title={t.account.codeTitle} />
      <Form onSubmit={enter}>
        <TextField
          name="code"
          label={t.account.code}
          hint={t.account.codeHint}
          autoComplete="one-time-code"
          autoFocus
          maxLength={64}
          required
        />
        <SubmitButton className="w-full">{t.account.signIn}</SubmitButton>
        <Button variant="quiet" className="w-full" onClick={onBack}>
          {t.account.startAgain}
        </Button>
      </Form>
    </>
  )
}

/** Requests a link for setting a new password. The answer does not depend on whether there is such an account. */
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
