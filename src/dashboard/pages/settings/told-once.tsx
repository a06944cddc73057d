// A secret, at the only moment when it is shown.
import { Button } from '../../ui/button'
import { CodeBlock } from '../../ui/copy'
import { Actions, Dialog } from '../../ui/dialog'

interface ToldOnceProps {
  /** Shown while there is one. */
  secret: string | undefined
  words: { title: string; hint: string; kept: string }
  onClose: () => void
}

export function ToldOnce({ secret, words, onClose }: ToldOnceProps) {
  return (
    <Dialog open={secret !== undefined} onClose={onClose} title={words.title} description={words.hint}>
      <CodeBlock code={secret ?? ''} />
      <Actions>
        <Button look="strong" onClick={onClose}>
          {words.kept}
        </Button>
      </Actions>
    </Dialog>
  )
}
