// The recovery codes, at the only moment when they are shown.
import { t } from '../../texts'
import { Button } from '../../ui/button'
import { CodeBlock } from '../../ui/copy'
import { Actions, Dialog } from '../../ui/dialog'

interface RecoveryCodesProps {
  /** Shown while there are any. */
  codes: string[] | undefined
  onClose: () => void
}

export function RecoveryCodes({ codes, onClose }: RecoveryCodesProps) {
  return (
    <Dialog
      open={codes !== undefined}
      onClose={onClose}
      title={t.secondFactor.codes}
      description={t.secondFactor.codesHint}
    >
      <CodeBlock code={codes?.join('\n') ?? ''} />
      <Actions>
        <Button look="strong" onClick={onClose}>
          {t.secondFactor.kept}
        </Button>
      </Actions>
    </Dialog>
  )
}
