// How a form in a dialog ends: with its cancel button, and the one that sends it.
import { t } from '../texts'
import { Button } from './button'
import { Actions } from './dialog'
import { SubmitButton } from './form'

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
