// What each column of the file becomes.
import { t } from '../../texts'
import { inputClass } from '../../ui/field'
import { Card } from '../../ui/page'
import { type Table, type Target, targets } from './csv'

interface MappingProps {
  table: Table
  mapping: readonly Target[]
  onChange: (mapping: Target[]) => void
}

export function Mapping({ table: { names, rows }, mapping, onChange }: MappingProps) {
  const set = (index: number, target: Target): void =>
    onChange(
      mapping.map((each, at) => {
        if (at === index) return target
        // Only one column can be the address, and only one the subscription.
        return each === target && target !== 'field' && target !== 'leave' ? 'field' : each
      }),
    )
  return (
    <Card title={t.contacts.mapping} description={t.contacts.mappingHint}>
      <ul className="divide-y divide-line">
        {names.map((name, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: columns of a file have nothing but their place.
          <li key={index} className="grid grid-cols-[minmax(0,1fr)_11rem] items-center gap-3 py-2.5">
            <div className="min-w-0">
              <p className="truncate font-medium">{name || '–'}</p>
              <p className="truncate text-quiet">{rows[0]?.[index] ?? ''}</p>
            </div>
            <select
              aria-label={t.contacts.mapColumn(name)}
              className={inputClass}
              value={mapping[index]}
              onChange={event => set(index, event.target.value as Target)}
            >
              {targets.map(target => (
                <option key={target} value={target}>
                  {t.contacts.mapTo[target]}
                </option>
              ))}
            </select>
          </li>
        ))}
      </ul>
    </Card>
  )
}
