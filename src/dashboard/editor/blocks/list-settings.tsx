// Settings that are lists: the widths of columns, social links, and the columns of a table of rows.
import type { Editor } from '@tiptap/core'
import { Fragment } from '@tiptap/pm/model'
import { NodeSelection } from '@tiptap/pm/state'
import { Plus, Trash2 } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { t } from '../../texts'
import { Button, IconButton } from '../../ui/button'
import { inputClass, Select } from '../../ui/field'
import { socialLinks } from '../mail/blocks'
import { rowColumns } from '../mail/rows'
import type { Placed } from './moving'

const layouts = ['50 50', '33 67', '67 33', '33 33 33', '25 50 25', '50 25 25', '25 25 50']

export function ColumnWidths({ editor, block }: { editor: Editor; block: Placed }) {
  const id = useId()
  const { node } = block
  const widths: number[] = node.attrs['widths']
  const equal = layouts.find(each => each.split(' ').length === node.childCount && !each.includes('67'))
  const now = widths.length === node.childCount ? widths.join(' ') : (equal ?? '100')
  return (
    <div className="space-y-1">
      <label htmlFor={id} className="block text-xs font-medium">
        {t.writing.columnWidths}
      </label>
      <Select
        id={id}
        value={now}
        options={[...new Set([now, ...layouts])].map(each => [
          each,
          each
            .split(' ')
            .map(share => `${share}%`)
            .join(' · '),
        ])}
        onChange={value => setColumns(editor, block, value.split(' ').map(Number))}
      />
    </div>
  )
}

/** What stood in a column that goes stands below that of the last one that stays. */
function setColumns(editor: Editor, { node, pos }: Placed, shares: readonly number[]): void {
  const { schema, tr } = editor.state
  const column = schema.nodes['column']!
  const contents = shares.map(
    (_, index) => node.maybeChild(index)?.content ?? column.createAndFill()!.content,
  )
  for (let index = shares.length; index < node.childCount; index++)
    contents[shares.length - 1] = contents[shares.length - 1]!.append(node.child(index).content)
  const columns = contents.map(content => column.create(null, content))
  tr.setNodeAttribute(pos, 'widths', shares)
  if (columns.length !== node.childCount)
    tr.replaceWith(pos + 1, pos + node.nodeSize - 1, Fragment.fromArray(columns))
  tr.setSelection(NodeSelection.create(tr.doc, pos))
  editor.view.dispatch(tr)
}

interface ListProps {
  value: unknown
  onChange: (value: unknown) => void
}

export function SocialLinks({ value, onChange }: ListProps) {
  const links = socialLinks(value)
  return (
    <List
      label={t.writing.members.links}
      count={links.length}
      onAdd={() => onChange([...links, { name: '', href: 'https://' }])}
      onRemove={at => onChange(links.filter((_, index) => index !== at))}
    >
      {at => {
        const change = (more: object): void =>
          onChange(links.map((link, index) => (index === at ? { ...link, ...more } : link)))
        return (
          <>
            <Small
              label={t.writing.linkName(at + 1)}
              value={links[at]!.name}
              onChange={name => change({ name })}
            />
            <Small
              label={t.writing.linkAddress(at + 1)}
              value={links[at]!.href}
              onChange={href => change({ href })}
            />
          </>
        )
      }}
    </List>
  )
}

export function RowColumns({ value, onChange }: ListProps) {
  const columns = rowColumns(value)
  return (
    <List
      label={t.writing.members.columns}
      count={columns.length}
      onAdd={() => onChange([...columns, { title: '', field: '', align: 'left' }])}
      onRemove={at => onChange(columns.filter((_, index) => index !== at))}
    >
      {at => {
        const change = (more: object): void =>
          onChange(columns.map((column, index) => (index === at ? { ...column, ...more } : column)))
        return (
          <>
            <Small
              label={t.writing.columnTitle(at + 1)}
              value={columns[at]!.title}
              onChange={title => change({ title })}
            />
            <Small
              label={t.writing.columnField(at + 1)}
              value={columns[at]!.field}
              onChange={field => change({ field })}
            />
          </>
        )
      }}
    </List>
  )
}

interface FrameProps {
  label: string
  count: number
  onAdd: () => void
  onRemove: (at: number) => void
  children: (at: number) => ReactNode
}

function List({ label, count, onAdd, onRemove, children }: FrameProps) {
  return (
    <fieldset className="col-span-2 space-y-2">
      <legend className="text-xs font-medium">{label}</legend>
      {Array.from({ length: count }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they have nothing but their place.
        <div key={at} className="flex items-center gap-1">
          <div className="min-w-0 flex-1 space-y-1">{children(at)}</div>
          <IconButton label={t.writing.removeEntry(at + 1)} onClick={() => onRemove(at)}>
            <Trash2 aria-hidden />
          </IconButton>
        </div>
      ))}
      <Button onClick={onAdd}>
        <Plus aria-hidden /> {t.writing.addEntry}
      </Button>
    </fieldset>
  )
}

interface SmallProps {
  label: string
  value: string
  onChange: (value: string) => void
}

function Small({ label, value, onChange }: SmallProps) {
  return (
    <input
      aria-label={label}
      placeholder={label}
      className={inputClass}
      value={value}
      onChange={event => onChange(event.target.value)}
    />
  )
}
