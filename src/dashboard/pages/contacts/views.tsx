// Views: a search and the columns shown, under a name. Kept in the browser, per project; since the search is in the address, a view can
// also be sent to somebody as a link.
import { useNavigate } from '@tanstack/react-router'
import { Bookmark, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { pageAddress } from '../../app/page-address'
import { t } from '../../texts'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { TextField } from '../../ui/field'
import { Form, type Values } from '../../ui/form'
import { DialogButtons } from '../../ui/form-dialog'
import { Menu, type MenuEntry } from '../../ui/menu'
import { toast } from '../../ui/toast'
import type { Filters } from './data'

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
    localStorage.setItem(key, JSON.stringify(next))
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
  const save = ({ name = '' }: Values): void => {
    const others = views.filter(view => view.name !== name)
    keep([...others, { name, filters, columns }].slice(-maxViews))
    setNaming(false)
  }
  const entries: Array<MenuEntry | null> = [
    {
      label: t.contacts.everybody,
      checked: isSame({}, filters),
      onSelect: () => show({ name: '', filters: {}, columns }),
    },
    ...views.map(view => ({ label: view.name, checked: view === current, onSelect: () => show(view) })),
    null,
    { label: t.contacts.saveView, icon: <Plus aria-hidden />, onSelect: () => setNaming(true) },
    ...(current
      ? [
          {
            label: t.words.removeTitle(current.name),
            icon: <Trash2 aria-hidden />,
            onSelect: () => remove(current),
          },
        ]
      : []),
  ]
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
      <Dialog
        open={naming}
        onClose={() => setNaming(false)}
        title={t.contacts.saveView}
        description={t.contacts.saveViewHint}
      >
        <Form onSubmit={save}>
          <TextField name="name" label={t.words.name} required maxLength={60} autoComplete="off" />
          <DialogButtons onCancel={() => setNaming(false)}>{t.words.save}</DialogButtons>
        </Form>
      </Dialog>
    </>
  )
}

const names = ['search', 'status', 'sort', 'filter'] as const

function isSame(one: Filters, other: Filters): boolean {
  return names.every(name => (one[name] ?? '') === (other[name] ?? ''))
}
