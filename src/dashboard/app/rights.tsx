// What people see of what their role doesn't allow: nothing of a button that is not for them, why a button that sends is off, and fields
// that only show what is in them.
import type { ReactNode } from 'react'
import { t } from '../texts'
import { Button, type ButtonVariant } from '../ui/button'
import { toast } from '../ui/toast'
import { maySend, mayWrite, useProject } from './session'

/** Buttons that change something. */
export function ForWriters({ children }: { children: ReactNode }) {
  return mayWrite(useProject()) ? children : null
}

interface ForSendersProps {
  /** Of the button that stands in its place. */
  label: string
  variant?: ButtonVariant
  className?: string
  /** Whether it reaches people at all: stopping what does is for all who may write. */
  when?: boolean
  children: ReactNode
}

/** A button of what reaches people. Whoever may write, but not send, sees one that says why it is off. */
export function ForSenders({ children, label, when = true, ...looks }: ForSendersProps) {
  const project = useProject()
  if (maySend(project) || (!when && mayWrite(project))) return children
  if (!mayWrite(project)) return null
  const reason = t.words.sendersOnly
  // It can be reached: whoever reads by keyboard or by ear learns the reason too.
  return (
    <Button {...looks} aria-disabled title={reason} onClick={() => toast(reason)}>
      {label}
    </Button>
  )
}

/** Fields that only those may change who may write; the others read them. */
export function ForWritersFields({ className = 'contents', children }: FieldsProps) {
  const canWrite = mayWrite(useProject())
  if (canWrite && className === 'contents') return children
  return (
    <fieldset disabled={!canWrite} className={className}>
      {children}
    </fieldset>
  )
}

interface FieldsProps {
  /** Where the fields have to be one element of the page. */
  className?: string
  children: ReactNode
}
