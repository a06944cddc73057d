// What is shown of all contacts: the filter that is built above the table, the custom fields in it, and views, which are both under a name.
// Columns and views are kept in the browser, per project; since the search is in the address, a view can also be sent to somebody as a
// link.
import { useNavigate } from '@tanstack/react-router'
import { Bookmark, Columns3, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { pageAddress } from '../../app/page-address'
import { FilterBuilder } from '../../editor/filter/builder'
import { FilterWords } from '../../editor/filter/result'
import { type FilterTree, isComplete, readTree } from '../../editor/filter/tree'
import { t } from '../../texts'
import { Button, ButtonLink } from '../../ui/button'
import { TextField } from '../../ui/field'
import type { Values } from '../../ui/form'
import { FormDialog } from '../../ui/form-dialog'
import { keepHere } from '../../ui/keep'
import { Menu, type MenuEntry, Popover } from '../../ui/menu'
import { toast } from '../../ui/toast'
import type { Fields, Filters } from './data'

interface View {
  name: string
  filters: Filters
  columns: string[]
}

const key = `waxwing.views.${pageAddress.projectId}`
const maxViews = 50

function read(): View[] {
  try {
    const views: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(views) ? (views as View[]) : []
  } catch {
    return []
  }
}

interface ViewsProps {
  filters: Filters
  columns: string[]
  onColumns: (columns: string[]) => void
}

export function Views({ filters, columns, onColumns }: ViewsProps) {
  const [views, setViews] = useState(read)
  const [naming, setNaming] = useState(false)
  const navigate = useNavigate()
  const keep = (next: View[]): void => {
    keepHere(key, JSON.stringify(next))
    setViews(next)
  }
  const show = (view: View): void => {
    onColumns(view.columns)
    void navigate({ to: '/contacts', search: view.filters })
  }
  const current = views.find(view => isSame(view.filters, filters))
  const remove = (view: View): void => {
    keep(views.filter(each => each !== view))
    toast(t.contacts.viewRemoved(view.name), { label: t.words.undo, run: () => keep(views) })
  }
  const save = ({ name = '' }: Values): undefined => {
    const others = views.filter(view => view.name !== name)
    keep([...others, { name, filters, columns }].slice(-maxViews))
  }
  const everybody: View = { name: t.contacts.everybody, filters: {}, columns }
  const entries: Array<MenuEntry | null> = [
    ...[everybody, ...views].map(view => ({
      label: view.name,
      checked: view === current || (view === everybody && isSame({}, filters)),
      onSelect: () => show(view),
    })),
    null,
    { label: t.contacts.saveView, icon: <Plus aria-hidden />, onSelect: () => setNaming(true) },
  ]
  if (current) {
    const label = t.words.removeTitle(current.name)
    entries.push({ label, icon: <Trash2 aria-hidden />, onSelect: () => remove(current) })
  }
  return (
    <>
      <Menu
        align="end"
        trigger={
          <Button>
            <Bookmark aria-hidden />{' '}
            <span className="max-w-32 truncate">{current?.name ?? t.contacts.views}</span>
          </Button>
        }
        entries={entries}
      />
      <FormDialog
        open={naming}
        onClose={() => setNaming(false)}
        title={t.contacts.saveView}
        description={t.contacts.saveViewHint}
        action={t.words.save}
        onSubmit={save}
      >
        <TextField name="name" label={t.words.name} required maxLength={60} autoComplete="off" />
      </FormDialog>
    </>
  )
}

const names = ['search', 'status', 'sort', 'filter'] as const

function isSame(one: Filters, other: Filters): boolean {
  return names.every(name => (one[name] ?? '') === (other[name] ?? ''))
}

const columnsKey = `waxwing.columns.${pageAddress.projectId}`
const shownAtFirst = 3

function savedColumns(): string[] | undefined {
  try {
    const names: unknown = JSON.parse(localStorage.getItem(columnsKey) ?? '')
    return Array.isArray(names) ? names.map(String) : undefined
  } catch {
    return undefined
  }
}

const nameOf = (field: string): string => field.replace(/^data\./, '')

/** Names of the chosen fields; the most common ones where nobody has chosen. */
export function useColumns(fields: Fields): [string[], (names: string[]) => void] {
  const [chosen, setChosen] = useState(savedColumns)
  const common = fields
    .filter(field => field.isCustom)
    .sort((a, b) => b.coverage - a.coverage)
    .slice(0, shownAtFirst)
    .map(({ field }) => nameOf(field))
  const choose = (names: string[]): void => {
    keepHere(columnsKey, JSON.stringify(names))
    setChosen(names)
  }
  return [chosen ?? common, choose]
}

interface ColumnChoiceProps {
  fields: Fields
  chosen: readonly string[]
  onChange: (names: string[]) => void
}

export function ColumnChoice({ fields, chosen, onChange }: ColumnChoiceProps) {
  const names = fields.filter(field => field.isCustom).map(({ field }) => nameOf(field))
  const toggle = (name: string): void =>
    onChange(chosen.includes(name) ? chosen.filter(each => each !== name) : [...chosen, name])
  return (
    <Popover
      align="end"
      trigger={
        <Button className="max-md:hidden">
          <Columns3 aria-hidden /> {t.contacts.columnChoice}
        </Button>
      }
    >
      <fieldset className="max-h-72 space-y-1 overflow-y-auto">
        <legend className="pb-1.5 text-xs text-quiet">{t.contacts.columnHint}</legend>
        {names.length === 0 && <p className="text-quiet">{t.contacts.noFields}</p>}
        {names.map(name => (
          <label key={name} className="flex min-h-8 items-center gap-2.5">
            <input
              type="checkbox"
              className="size-4 accent-accent"
              checked={chosen.includes(name)}
              onChange={() => toggle(name)}
            />
            {name}
          </label>
        ))}
      </fieldset>
    </Popover>
  )
}

/** The filter builder above the table. Only a complete filter is applied; it is kept in the address like every other filter. */
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
            <Button variant="quiet" onClick={() => apply(undefined)}>
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
