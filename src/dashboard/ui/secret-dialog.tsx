// A secret, at the only moment when it is shown.
import { Button } from './button'
import { CodeBlock } from './copy'
import { Actions, Dialog } from './dialog'

interface SecretDialogProps {
  /** Shown while there is one. */
  secret: string | undefined
  words: { title: string; hint: string; kept: string }
  onClose: () => void
}

export function SecretDialog({ secret, words, onClose }: SecretDialogProps) {
  return (
    <Dialog open={secret !== undefined} onClose={onClose} title={words.title} description={words.hint}>
      <CodeBlock code={secret ?? ''} />
      <Actions>
        <Button variant="strong" onClick={onClose}>
          {words.kept}
        </Button>
      </Actions>
    </Dialog>
  )
}
