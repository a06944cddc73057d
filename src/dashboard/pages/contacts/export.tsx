// Contacts as a file: those that match the filters.
import { api } from '../../api/client'
import { ExportButton } from '../../ui/export-button'
import { type Filters, treeOf, wordsOf } from './data'

export function ExportContacts({ filters }: { filters: Filters }) {
  const filter = treeOf(filters)
  return (
    <ExportButton
      load={() =>
        filter
          ? api.POST('/contacts/export', { body: { ...wordsOf(filters), filter }, parseAs: 'blob' })
          : api.GET('/contacts/export', { params: { query: wordsOf(filters) }, parseAs: 'blob' })
      }
    />
  )
}
