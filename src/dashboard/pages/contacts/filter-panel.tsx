// The filter builder above the table. Only a complete filter is applied; it is kept in the address like every other filter.
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { FilterBuilder } from '../../editor/filter/builder'
import { FilterWords } from '../../editor/filter/result'
import { type FilterTree, isComplete, readTree } from '../../editor/filter/tree'
import { t } from '../../texts'
import { Button, ButtonLink } from '../../ui/button'
import type { Filters } from './data'

export function FilterPanel({ filters, onClose }: { filters: Filters; onClose: () => void }) {
  const navigate = useNavigate()
  const [tree, setTree] = useState<FilterTree | undefined>(() => readTree(filters.filter))
  const apply = (next: FilterTree | undefined): void => {
    setTree(next)
    if (next && !isComplete(next)) return
    const filter = next ? JSON.stringify(next) : undefined
    void navigate({ to: '/contacts', search: { ...filters, filter }, replace: true })
  }
  return (
    <section aria-label={t.filter.legend} className="space-y-3 rounded-lg border border-line bg-sheet p-4">
      <FilterBuilder value={tree} onChange={apply} />
      {isComplete(tree) && <FilterWords value={tree} />}
      <div className="flex flex-wrap justify-end gap-2">
        {filters.filter && (
          <>
            <Button look="quiet" onClick={() => apply(undefined)}>
              {t.contacts.clearFilter}
            </Button>
            <ButtonLink to="/segments/new" search={{ filter: filters.filter }}>
              {t.contacts.asSegment}
            </ButtonLink>
          </>
        )}
        <Button onClick={onClose}>{t.words.close}</Button>
      </div>
    </section>
  )
}
