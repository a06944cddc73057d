// The secret of an endpoint, in the only moment in which it is told.
import { t } from '../../../texts'
import { Button } from '../../../ui/button'
import { CodeBlock } from '../../../ui/copy'
import { Actions, Dialog } from '../../../ui/dialog'

interface SecretProps {
  /** Shown while there is one. */
  secret: string | undefined
  onClose: () => void
}

export function Secret({ secret, onClose }: SecretProps) {
  return (
    <Dialog
      open={secret !== undefined}
      onClose={onClose}
      title={t.webhooks.secretTitle}
      description={t.webhooks.secretHint}
    >
      <CodeBlock code={secret ?? ''} />
      <Actions>
        <Button look="strong" onClick={onClose}>
          {t.webhooks.secretKept}
        </Button>
      </Actions>
    </Dialog>
  )
}
