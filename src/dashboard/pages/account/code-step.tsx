// The second step of signing in: the code of an authenticator, or a recovery code.
import { answer, api } from '../../api/client'
import { t } from '../../texts'
import { Button } from '../../ui/button'
import { TextField } from '../../ui/field'
import { Form, SubmitButton, type Values } from '../../ui/form'
import { Heading } from './heading'

interface CodeStepProps {
  /** The token that the first step was answered with. */
  token: string
  onDone: () => void
  onBack: () => void
}

export function CodeStep({ token, onDone, onBack }: CodeStepProps) {
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
        <Button look="quiet" className="w-full" onClick={onBack}>
          {t.account.startAgain}
        </Button>
      </Form>
    </>
  )
}
