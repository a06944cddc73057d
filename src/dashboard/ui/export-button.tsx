// A button that saves an export of the API as a file.
import { Download } from 'lucide-react'
import { t } from '../texts'
import { useBusy } from './busy'
import { Button } from './button'
import { saveFile } from './save-file'

interface ExportButtonProps {
  file: string
  /** Returns the content, a Blob. The API's types say text, which is what it is without `parseAs`. */
  load: () => Promise<unknown>
}

export function ExportButton({ file, load }: ExportButtonProps) {
  const [busy, run] = useBusy()
  return (
    <Button busy={busy} onClick={() => run(async () => saveFile(file, (await load()) as Blob))}>
      {!busy && <Download aria-hidden />} {t.words.export}
    </Button>
  )
}
