// Takes somebody off a list, after asking once.
import { useState } from 'react'
import { Button } from '../../ui/button'
import { Confirm } from '../../ui/confirm'

interface TakeOutProps {
  words: { action: string; question: string; consequence: string }
  onConfirm: () => Promise<void>
}

export function TakeOut({ words, onConfirm }: TakeOutProps) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button look="quiet" onClick={() => setOpen(true)}>
        {words.action}
      </Button>
      <Confirm
        open={open}
        onClose={() => setOpen(false)}
        title={words.question}
        consequence={words.consequence}
        action={words.action}
        onConfirm={onConfirm}
      />
    </>
  )
}
