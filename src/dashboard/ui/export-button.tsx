// A button that saves an export of the API as a file.
import { Download } from 'lucide-react'
import { t } from '../texts'
import { useBusy } from './busy'
import { Button } from './button'
import { saveAnswer } from './save-file'

interface ExportButtonProps {
  /** Asks for the content, with `parseAs: 'blob'`. */
  load: () => Parameters<typeof saveAnswer>[0]
}

export function ExportButton({ load }: ExportButtonProps) {
  const [busy, run] = useBusy()
  return (
    <Button busy={busy} onClick={() => run(() => saveAnswer(load()))}>
      {!busy && <Download aria-hidden />} {t.words.export}
    </Button>
  )
}
