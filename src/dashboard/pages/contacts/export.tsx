// Contacts as a file: those that the filters leave.
import { Download } from 'lucide-react'
import { useState } from 'react'
import { answer, api } from '../../api/client'
import { t } from '../../texts'
import { Button } from '../../ui/button'
import { saveFile } from '../../ui/save-file'
import { toast } from '../../ui/toast'
import { type Filters, treeOf, wordsOf } from './data'

export function ExportButton({ filters }: { filters: Filters }) {
  const [busy, setBusy] = useState(false)
  const load = async (): Promise<void> => {
    setBusy(true)
    try {
      const filter = treeOf(filters)
      const asked = filter
        ? api.POST('/contacts/export', { body: { ...wordsOf(filters), filter }, parseAs: 'blob' })
        : api.GET('/contacts/export', { params: { query: wordsOf(filters) }, parseAs: 'blob' })
      saveFile('contacts.csv', (await answer(asked)) as unknown as Blob)
    } catch (error) {
      toast(error instanceof Error ? error.message : t.errors.unknown)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button busy={busy} onClick={load}>
      {!busy && <Download aria-hidden />} {t.contacts.export}
    </Button>
  )
}
