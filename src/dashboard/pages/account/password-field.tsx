// A password field whose text can be shown while typing.
import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { t } from '../../texts'
import { IconButton } from '../../ui/button'
import { TextField } from '../../ui/field'

export function PasswordField(props: ComponentProps<typeof TextField>) {
  const [shown, setShown] = useState(false)
  const Icon = shown ? EyeOff : Eye
  return (
    <div className="relative">
      <TextField {...props} type={shown ? 'text' : 'password'} className="pr-11" required />
      <IconButton
        label={shown ? t.words.hidePassword : t.words.showPassword}
        className="absolute top-6.5 right-0"
        onClick={() => setShown(!shown)}
      >
        <Icon aria-hidden />
      </IconButton>
    </div>
  )
}
