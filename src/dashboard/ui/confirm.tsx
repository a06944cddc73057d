// Asks once before something is destroyed, and says what will be lost. For what can't be undone, a word has to be typed.
import { useState } from 'react'
import { t } from '../texts'
import { useAttempt } from './busy'
import { Button, type ButtonVariant } from './button'
import { Actions, Dialog } from './dialog'
import { ErrorNote } from './error-note'
import { inputClass } from './field'

interface ConfirmProps {
  open: boolean
  onClose: () => void
  title: string
  /** Exactly what is lost: names and numbers. */
  consequence: React.ReactNode
  /** A verb: "Delete 3 contacts". The title, if that is one. */
  action?: string
  /** Where nothing is lost: `strong`. */
  actionVariant?: ButtonVariant
  /** Has to be typed, where much is lost for good. */
  word?: string
  onConfirm: () => Promise<unknown>
  /** Further choices in the dialog. */
  children?: React.ReactNode
}

export function Confirm({
  open,
  onClose,
  title,
  consequence,
  action = title,
  actionVariant = 'danger',
  word,
  onConfirm,
  children,
}: ConfirmProps) {
  const { busy, error, run, clear } = useAttempt()
  const [typed, setTyped] = useState('')
  const close = (): void => {
    setTyped('')
    clear()
    onClose()
  }
  const act = () => run(async () => await onConfirm().then(close))
  return (
    <Dialog open={open} onClose={close} title={title} description={consequence}>
      {children}
      {word !== undefined && (
        <label className="block space-y-1.5">
          <span className="font-medium">{t.words.typeToConfirm(word)}</span>
          <input
            className={inputClass}
            value={typed}
            autoComplete="off"
            onChange={event => setTyped(event.target.value)}
          />
        </label>
      )}
      {error !== undefined && <ErrorNote error={error} takesFocus />}
      {/* In sight, however long the question is. */}
      <div className="sticky -bottom-5 -mx-5 -mb-5 bg-raised px-5 pt-3 pb-5">
        <Actions>
          <Button onClick={close}>{t.words.cancel}</Button>
          <Button
            variant={actionVariant}
            busy={busy}
            disabled={word !== undefined && typed !== word}
            onClick={act}
          >
            {action}
          </Button>
        </Actions>
      </div>
    </Dialog>
  )
}

interface ConfirmButtonProps extends Omit<ConfirmProps, 'open' | 'onClose'> {
  /** The text of the button, if shorter than the action. */
  label?: string
  variant?: ButtonVariant
  className?: string
}

/** The button that asks. */
export function ConfirmButton({ label, variant, className, ...question }: ConfirmButtonProps) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant={variant} className={className} onClick={() => setOpen(true)}>
        {label ?? question.action ?? question.title}
      </Button>
      <Confirm {...question} open={open} onClose={() => setOpen(false)} />
    </>
  )
}
