// Signing in with a password or a provider.
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link, Navigate } from '@tanstack/react-router'
import { answer, api } from '../../api/client'
import { leaveFor } from '../../app/page-address'
import { configQuery } from '../../app/session'
import { t } from '../../texts'
import { Form, SubmitButton, type Values } from '../../ui/form'
import { EmailField } from './email-field'
import { Heading, textLink } from './heading'
import { PasswordField } from './password-field'
import { Providers } from './providers'

const route = getRouteApi('/outside/sign-in')

export function SignIn() {
  const { next = '/' } = route.useSearch()
  const { signup } = useSuspenseQuery(configQuery).data.features
  if (signup.isFirstAccount) return <Navigate to="/sign-up" hash={location.hash.slice(1)} replace />
  const signIn = async ({ email = '', password = '' }: Values): Promise<void> => {
    await answer(api.POST('/auth/login', { body: { email, password } }))
    leaveFor(undefined, next.startsWith('/') ? next : '/')
  }
  return (
    <>
      <Heading title={t.account.signInTitle} />
      <Form onSubmit={signIn}>
        <EmailField />
        <PasswordField
          name="password"
          label={t.account.password}
          autoComplete="current-password"
          aside={
            <Link to="/forgotten" className={textLink}>
              {t.account.forgotten}
            </Link>
          }
        />
        <SubmitButton className="w-full">{t.account.signIn}</SubmitButton>
      </Form>
      <Providers />
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
