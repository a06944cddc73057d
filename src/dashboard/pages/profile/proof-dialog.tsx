// Asks for password and code, before something changes about how one signs in.
import { t } from '../../texts'
import { Button } from '../../ui/button'
import { Actions, Dialog } from '../../ui/dialog'
import { TextField } from '../../ui/field'
import { Form, SubmitButton, type Values } from '../../ui/form'

interface ProofDialogProps {
  open: boolean
  words: { title: string; hint: string }
  onClose: () => void
  onProof: (proof: { password: string; code: string }) => Promise<void>
}

export function ProofDialog({ open, words, onClose, onProof }: ProofDialogProps) {
  const prove = ({ password = '', code = '' }: Values): Promise<void> => onProof({ password, code })
  return (
    <Dialog open={open} onClose={onClose} title={words.title} description={words.hint}>
      <Form onSubmit={prove}>
        <TextField
          name="password"
          type="password"
          label={t.profile.currentPassword}
          autoComplete="current-password"
          required
        />
        <TextField
          name="code"
          label={t.account.code}
          hint={t.account.codeHint}
          autoComplete="one-time-code"
          maxLength={64}
          required
        />
        <Actions>
          <Button onClick={onClose}>{t.words.cancel}</Button>
          <SubmitButton>{words.title}</SubmitButton>
        </Actions>
      </Form>
    </Dialog>
  )
}
