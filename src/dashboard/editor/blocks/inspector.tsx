// The properties of the selected block: where a button leads, what a picture shows.
import type { Editor } from '@tiptap/core'
import { Trash2 } from 'lucide-react'
import { useId } from 'react'
import { t } from '../../texts'
import { IconButton } from '../../ui/button'
import { inputClass, Select } from '../../ui/field'
import { variablesOf } from './toolbar'

type Kind = 'text' | 'url' | 'number' | 'colour' | 'name'

const members: Record<string, Array<[name: keyof typeof t.writing.members, kind: Kind]>> = {
  button: [
    ['text', 'text'],
    ['href', 'url'],
    ['color', 'colour'],
  ],
  image: [
    ['alt', 'text'],
    ['href', 'url'],
    ['width', 'number'],
  ],
  variable: [
    ['name', 'name'],
    ['fallback', 'text'],
  ],
  spacer: [['height', 'number']],
  footer: [['unsubscribe', 'text']],
  link: [['href', 'url']],
}

export function Inspector({ editor, fields }: { editor: Editor; fields: readonly string[] }) {
  const type = Object.keys(members).find(each => editor.isActive(each))
  if (!type) return null
  const attributes = editor.getAttributes(type)
  const change = (name: string, value: unknown): void => {
    const chain = editor.chain()
    if (type === 'link') chain.extendMarkRange('link').setMark('link', { href: value }).run()
    else chain.updateAttributes(type, { [name]: value }).run()
  }
  return (
    <div className="flex flex-wrap items-end gap-2 px-2.5 py-2">
      {members[type]!.map(([name, kind]) => (
        <Member
          key={`${type}-${name}`}
          label={t.writing.members[name]}
          kind={kind}
          value={attributes[name]}
          fields={fields}
          onChange={value => change(name, value)}
        />
      ))}
      {type !== 'link' && (
        <IconButton label={t.writing.remove} onClick={() => remove(editor, type)}>
          <Trash2 aria-hidden />
        </IconButton>
      )}
    </div>
  )
}

function remove(editor: Editor, type: string): void {
  if (type === 'footer') editor.chain().focus().deleteNode(type).run()
  else editor.chain().focus().deleteSelection().run()
}

interface MemberProps {
  label: string
  kind: Kind
  value: unknown
  fields: readonly string[]
  onChange: (value: unknown) => void
}

function Member({ label, kind, value, fields, onChange }: MemberProps) {
  const id = useId()
  const text = value === null || value === undefined ? '' : String(value)
  return (
    <div className="min-w-0 flex-1 basis-32 space-y-1 text-xs text-quiet">
      <label htmlFor={id} className="block">
        {label}
      </label>
      {kind === 'name' ? (
        <Select
          id={id}
          value={text}
          options={[...new Set([text, ...variablesOf(fields)])].map(name => [name, name])}
          onChange={onChange}
        />
      ) : (
        <input
          id={id}
          className={
            kind === 'colour'
              ? 'control w-14 cursor-pointer rounded-md border border-edge bg-sheet p-1'
              : inputClass
          }
          type={kind === 'colour' ? 'color' : kind === 'number' ? 'number' : 'text'}
          inputMode={kind === 'url' ? 'url' : undefined}
          value={kind === 'colour' ? text || '#2f5d8a' : text}
          onChange={event =>
            onChange(kind === 'number' ? Number(event.target.value) || null : event.target.value)
          }
        />
      )}
    </div>
  )
}
