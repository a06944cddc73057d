// The address that somebody signs in with.
import { t } from '../../texts'
import { TextField } from '../../ui/field'

export function EmailField() {
  return (
    <TextField name="email" label={t.words.email} type="email" autoComplete="username" required autoFocus />
  )
}
