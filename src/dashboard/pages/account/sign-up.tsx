// Making an account: the first one of the instance, or another where sign-up is open to everybody; and a project for it.
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { answer, api } from '../../api/client'
import { leaveFor } from '../../app/page-address'
import { configQuery } from '../../app/session'
import { t } from '../../texts'
import { TextField } from '../../ui/field'
import { Form, SubmitButton, type Values } from '../../ui/form'
import { EmailField, Heading, PasswordField, textLink } from './fields'
import { Providers } from './providers'

export function SignUp() {
  const { signup } = useSuspenseQuery(configQuery).data.features
  if (signup.signupsDisabled) return <Closed />
  return (
    <>
      <Heading title={signup.isFirstAccount ? t.account.firstTitle : t.account.signUpTitle}>
        {signup.isFirstAccount && t.account.firstHint}
      </Heading>
      <SignUpForm needsToken={signup.needsSetupToken} />
      <Providers />
      {!signup.isFirstAccount && <HaveAccount />}
    </>
  )
}

function SignUpForm({ needsToken }: { needsToken: boolean }) {
  // The address that the program printed has it after the #.
  const [printed] = useState(() => location.hash.slice(1))
  const signUp = async ({ email = '', password = '', setupToken }: Values): Promise<void> => {
    const token = (setupToken ?? printed).trim() || undefined
    await answer(api.POST('/auth/signup', { body: { email, password, setupToken: token } }))
    leaveFor(undefined)
  }
  return (
    <Form onSubmit={signUp}>
      <EmailField />
      <PasswordField
        name="password"
        label={t.words.password}
        autoComplete="new-password"
        minLength={8}
        hint={t.account.passwordHint}
      />
      {needsToken && !printed && (
        <TextField
          name="setupToken"
          label={t.account.setupToken}
          hint={t.account.setupTokenHint}
          autoComplete="off"
          required
        />
      )}
      <SubmitButton className="w-full">{t.account.makeAccount}</SubmitButton>
    </Form>
  )
}

function Closed() {
  return (
    <>
      <Heading title={t.account.signUpTitle}>{t.account.closed}</Heading>
      <HaveAccount />
    </>
  )
}

function HaveAccount() {
  return (
    <p className="text-quiet">
      {t.account.haveAccount}{' '}
      <Link to="/sign-in" className={textLink}>
        {t.account.signIn}
      </Link>
    </p>
  )
}

/** A new project, which is the first one after signing up. */
export function Welcome() {
  const create = async ({ name = '' }: Values): Promise<void> => {
    const project = await answer(api.POST('/users/@me/projects', { body: { name } }))
    leaveFor(project.id)
  }
  return (
    <>
      <Heading title={t.account.projectTitle}>{t.account.projectHint}</Heading>
      <Form onSubmit={create}>
        <TextField name="name" label={t.words.name} maxLength={100} required autoFocus />
        <SubmitButton className="w-full">{t.account.createProject}</SubmitButton>
      </Form>
    </>
  )
}
