// What members see where their role is not enough: no buttons that change something, buttons that send turned off with the reason, and
// fields that can be read only.
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
  /** Of the button that editors see. */
  label: string
  variant?: ButtonVariant
  className?: string
  /** False if it doesn't reach people, such as stopping something that does: then editors may press it, too. */
  when?: boolean
  children: ReactNode
}

/** A button that reaches people. Editors, who may write but not send, see it turned off, with the reason. */
export function ForSenders({ children, label, when = true, ...looks }: ForSendersProps) {
  const project = useProject()
  if (maySend(project) || (!when && mayWrite(project))) return children
  if (!mayWrite(project)) return null
  const reason = t.words.sendersOnly
  // Not `disabled`, so that keyboards and screen readers reach it and its reason.
  return (
    <Button {...looks} aria-disabled title={reason} onClick={() => toast(reason)}>
      {label}
    </Button>
  )
}

/** Fields that viewers can only read. */
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
  /** Given if the fields have to be one element of the page. */
  className?: string
  children: ReactNode
}
