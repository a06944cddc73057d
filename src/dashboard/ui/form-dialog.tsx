// A form in a dialog: with its cancel button, and the one that sends it. It closes when what was sent has been done.
import { type ReactNode, useState } from 'react'
import { t } from '../texts'
import { Button, type ButtonVariant } from './button'
import { Actions, Dialog } from './dialog'
import { Form, SubmitButton, type Values } from './form'
import { toast } from './toast'

interface DialogButtonsProps {
  onCancel: () => void
  /** A verb: what sending the form does. */
  children: string
}

export function DialogButtons({ onCancel, children }: DialogButtonsProps) {
  return (
    <Actions>
      <Button onClick={onCancel}>{t.words.cancel}</Button>
      <SubmitButton>{children}</SubmitButton>
    </Actions>
  )
}

interface FormDialogProps {
  open: boolean
  onClose: () => void
  title: ReactNode
  description?: ReactNode
  /** A verb: what sending the form does. */
  action: string
  /** An error that it throws is shown in the form. The text it resolves to is a toast, once the dialog is closed. */
  onSubmit: (values: Values) => Promise<string | undefined> | string | undefined
  /** The fields. */
  children?: ReactNode
}

export function FormDialog({
  open,
  onClose,
  title,
  description,
  action,
  onSubmit,
  children,
}: FormDialogProps) {
  const submit = async (values: Values): Promise<void> => {
    const said = await onSubmit(values)
    onClose()
    if (said !== undefined) toast(said)
  }
  return (
    <Dialog open={open} onClose={onClose} title={title} description={description}>
      <Form onSubmit={submit}>
        {children}
        <DialogButtons onCancel={onClose}>{action}</DialogButtons>
      </Form>
    </Dialog>
  )
}

interface FormDialogButtonProps extends Omit<FormDialogProps, 'open' | 'onClose' | 'title' | 'action'> {
  /** The text of the button, and of the dialog's title and its last button, unless these are given. */
  label: string
  variant?: ButtonVariant
  title?: ReactNode
  action?: string
}

/** The button that opens it. */
export function FormDialogButton({ label, variant, ...dialog }: FormDialogButtonProps) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant={variant} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <FormDialog title={label} action={label} {...dialog} open={open} onClose={() => setOpen(false)} />
    </>
  )
}
