// Asks for password and code, before something changes about how one signs in.
import { t } from '../../texts'
import { Dialog } from '../../ui/dialog'
import { TextField } from '../../ui/field'
import { Form, type Values } from '../../ui/form'
import { DialogButtons } from '../../ui/form-dialog'
import { CurrentPassword } from './current-password'

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
        <CurrentPassword />
        <TextField
          name="code"
          label={t.account.code}
          hint={t.account.codeHint}
          autoComplete="one-time-code"
          maxLength={64}
          required
        />
        <DialogButtons onCancel={onClose}>{words.title}</DialogButtons>
      </Form>
    </Dialog>
  )
}
