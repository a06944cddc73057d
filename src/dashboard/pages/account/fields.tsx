// What the pages outside any project have in common: their title with what it asks for, and the fields of an account.
import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { t } from '../../texts'
import { IconButton } from '../../ui/button'
import { TextField } from '../../ui/field'
import { useTitle } from '../../ui/page'

export function Heading({ title, children }: { title: string; children?: ReactNode }) {
  useTitle(title)
  return (
    <div className="space-y-1">
      <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
      {children && <p className="text-quiet">{children}</p>}
    </div>
  )
}

export const textLink = 'font-medium text-accent underline-offset-2 hover:underline'

/** The address that somebody signs in with. */
export function EmailField() {
  return (
    <TextField name="email" label={t.words.email} type="email" autoComplete="username" required autoFocus />
  )
}

/** A password field whose text can be shown while typing. */
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
