// The current password, asked for before something changes about how one signs in.
import { t } from '../../texts'
import { TextField } from '../../ui/field'

export function CurrentPassword({ name = 'password' }: { name?: string }) {
  return (
    <TextField
      name={name}
      type="password"
      label={t.profile.currentPassword}
      autoComplete="current-password"
      required
    />
  )
}
