// Removes somebody from a list, after asking once.
import { ConfirmButton } from '../../ui/confirm'

interface TakeOutProps {
  words: { action: string; question: string; consequence: string }
  onConfirm: () => Promise<void>
}

export function TakeOut({ words, onConfirm }: TakeOutProps) {
  return (
    <ConfirmButton
      look="quiet"
      title={words.question}
      consequence={words.consequence}
      action={words.action}
      onConfirm={onConfirm}
    />
  )
}
