// Which custom fields the table shows; kept in the browser, per project.
import { Columns3 } from 'lucide-react'
import { useState } from 'react'
import { pageAddress } from '../../app/page-address'
import { t } from '../../texts'
import { Button } from '../../ui/button'
import { Popover } from '../../ui/menu'
import type { fieldsQuery } from './data'

type Fields = Awaited<ReturnType<NonNullable<typeof fieldsQuery.queryFn>>>

const key = `waxwing.columns.${pageAddress.projectId}`
const shownAtFirst = 3

function saved(): string[] | undefined {
  try {
    const names: unknown = JSON.parse(localStorage.getItem(key) ?? '')
    return Array.isArray(names) ? names.map(String) : undefined
  } catch {
    return undefined
  }
}

const nameOf = (field: string): string => field.replace(/^data\./, '')

/** Names of the chosen fields; the most common ones where nobody has chosen. */
export function useColumns(fields: Fields): [string[], (names: string[]) => void] {
  const [chosen, setChosen] = useState(saved)
  const common = fields
    .filter(field => field.isCustom)
    .sort((a, b) => b.coverage - a.coverage)
    .slice(0, shownAtFirst)
    .map(({ field }) => nameOf(field))
  const choose = (names: string[]): void => {
    localStorage.setItem(key, JSON.stringify(names))
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
