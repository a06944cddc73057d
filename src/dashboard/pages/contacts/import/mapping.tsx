// What each column of the file becomes: one row per column, read from left to right as column, sample, field, type, and the value as it
// will be stored.
import type { Topic } from '../../../api/topics'
import { t } from '../../../texts'
import { inputClass, Select } from '../../../ui/field'
import { Card } from '../../../ui/page'
import { mayBeConsent, type Table, type Target, targets } from '../csv'
import { shownValue } from '../value'
import { fitting, type ImportColumn, type KnownFields, nameFault, type Plan, withColumn } from './plan'
import { type CellType, cellTypes, fieldKindOf, readCell } from './values'

interface MappingProps {
  table: Table
  plan: Plan
  known: KnownFields
  /** What a column may be about. */
  topics: readonly Topic[]
  onChange: (part: Partial<Plan>) => void
}

export function Mapping({ table, plan: { columns, consent }, known, topics, onChange }: MappingProps) {
  const change = (index: number, part: Partial<ImportColumn>): void => {
    const next = withColumn(columns, index, part)
    const hasSubscribed = next.some(({ target }) => target === 'subscribed')
    const answered = consent === 'column' && !hasSubscribed ? undefined : consent
    onChange({ columns: next, consent: hasSubscribed ? (answered ?? 'column') : answered })
  }
  return (
    <Card title={t.contacts.mapping} description={t.contacts.mappingHint}>
      <ul className="divide-y divide-line">
        {columns.map((column, index) => (
          <Row
            // biome-ignore lint/suspicious/noArrayIndexKey: columns of a file have nothing but their place.
            key={index}
            {...{ table, columns, column, index, known, topics }}
            onChange={part => change(index, part)}
          />
        ))}
      </ul>
    </Card>
  )
}

interface RowProps {
  table: Table
  columns: readonly ImportColumn[]
  column: ImportColumn
  index: number
  known: KnownFields
  topics: readonly Topic[]
  onChange: (part: Partial<ImportColumn>) => void
}

/** Before the name of a field that the project has; no target begins like that. */
const fieldPrefix = 'field:'
const newField = 'new'

function Row({ table, columns, column, index, known, topics, onChange }: RowProps) {
  const { target, name, type } = column
  const heading = table.names[index] ?? ''
  const sample = table.rows.find(row => row[index])?.[index] ?? ''
  const isField = target === 'field'
  const isKnown = known.has(name)
  const fault = nameFault(columns, index)
  const choose = (value: string): void => {
    if (value.startsWith(fieldPrefix)) {
      const field = value.slice(fieldPrefix.length)
      onChange({ target: 'field', name: field, type: fitting(type, known.get(field)) })
    } else if (value === newField) onChange({ target: 'field', name: isKnown ? `${heading} 2` : name })
    else onChange({ target: value as Target })
  }
  return (
    <li className="grid items-start gap-x-3 gap-y-1.5 py-2.5 md:grid-cols-[minmax(0,4fr)_minmax(0,5fr)_10rem_minmax(0,4fr)]">
      <div className="min-w-0">
        <p className="truncate font-medium" title={heading}>
          {heading || '–'}
        </p>
        <p className="truncate text-quiet" title={sample}>
          {sample}
        </p>
      </div>
      <div className="min-w-0 space-y-1.5">
        <select
          aria-label={t.contacts.mapColumn(heading)}
          className={inputClass}
          value={isField ? (isKnown ? fieldPrefix + name : newField) : target}
          onChange={event => choose(event.target.value)}
        >
          <option value="email">{t.contacts.mapTo.email}</option>
          {known.size > 0 && (
            <optgroup label={t.contacts.mapTo.fields}>
              {[...known.keys()].sort().map(field => (
                <option key={field} value={fieldPrefix + field}>
                  {field}
                </option>
              ))}
            </optgroup>
          )}
          <option value={newField}>{t.contacts.mapTo.field}</option>
          <optgroup label={t.words.subscription}>
            {targets
              .filter(each => each !== 'email' && each !== 'field' && each !== 'leave')
              .map(each => (
                <option key={each} value={each}>
                  {t.contacts.mapTo[each]}
                </option>
              ))}
          </optgroup>
          {(topics.length > 0 || target.startsWith('topic:')) && (
            <optgroup label={t.topics.title}>
              {topics.map(({ id, name: topic }) => (
                <option key={id} value={`topic:${id}`}>
                  {topic}
                </option>
              ))}
              {isUnknownTopic(target, topics) && <option value={target}>{heading}</option>}
            </optgroup>
          )}
          <option value="leave">{t.contacts.mapTo.leave}</option>
        </select>
        {isField && !isKnown && (
          <input
            aria-label={t.contacts.fieldName(heading)}
            aria-invalid={fault ? true : undefined}
            className={inputClass}
            value={name}
            maxLength={255}
            onChange={event => onChange({ name: event.target.value })}
          />
        )}
        {fault && <p className="text-bad">{t.contacts.nameFaults[fault]}</p>}
        {mayBeConsent(heading, target) && <p className="text-warn">{t.contacts.perhapsConsent}</p>}
      </div>
      {isField ? (
        <Select
          label={t.contacts.columnType(heading)}
          value={type}
          options={cellTypes
            .filter(each => !isKnown || fieldKindOf(each) === known.get(name))
            .map(each => [each, t.contacts.cellTypes[each]])}
          onChange={value => onChange({ type: value as CellType })}
        />
      ) : (
        <span className="max-md:hidden" />
      )}
      <p className="min-w-0 truncate py-1.5 text-quiet max-md:hidden">
        {isField ? storedAs(sample, type) : ''}
      </p>
    </li>
  )
}

function storedAs(sample: string, type: CellType): string {
  const value = readCell(sample, type)
  if (value === undefined || sample === '') return sample
  return typeof value === 'boolean' ? (value ? t.contacts.yes : t.contacts.no) : shownValue(value)
}

/** The server will say that the project has no such topic. */
function isUnknownTopic(target: Target, topics: readonly Topic[]): boolean {
  return target.startsWith('topic:') && !topics.some(({ id }) => target === `topic:${id}`)
}
