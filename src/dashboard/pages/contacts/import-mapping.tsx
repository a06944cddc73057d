// What each column of the file becomes.

import type { Topic } from '../../api/topics'
import { t } from '../../texts'
import { CheckField, inputClass } from '../../ui/field'
import { Card } from '../../ui/page'
import { mayBeConsent, type Table, type Target, targets } from './csv'

interface MappingProps {
  table: Table
  mapping: readonly Target[]
  /** What a column may be about. */
  topics: readonly Topic[]
  onChange: (mapping: Target[]) => void
}

export function Mapping({ table: { names, rows }, mapping, topics, onChange }: MappingProps) {
  const set = (index: number, target: Target): void =>
    onChange(
      mapping.map((each, at) => {
        if (at === index) return target
        // Only one column can be the address, only one the subscription, and only one about each topic.
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
              {mayBeConsent(name, mapping[index]!) && (
                <p className="text-warn">{t.contacts.perhapsConsent}</p>
              )}
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
              {isUnknownTopic(mapping[index]!, topics) && <option value={mapping[index]}>{name}</option>}
              {topics.length > 0 && (
                <optgroup label={t.topics.title}>
                  {topics.map(({ id, name: topic }) => (
                    <option key={id} value={`topic:${id}`}>
                      {topic}
                    </option>
                  ))}
                </optgroup>
              )}
            </select>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** The server will say that the project has no such topic. */
function isUnknownTopic(target: Target, topics: readonly Topic[]): boolean {
  return target.startsWith('topic:') && !topics.some(({ id }) => target === `topic:${id}`)
}

interface ChosenTopicsProps {
  topics: readonly Topic[]
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}

/** What everybody in the file wants. Nothing where the project has no topics. */
export function ChosenTopics({ topics, chosen, onChange }: ChosenTopicsProps) {
  if (topics.length === 0) return null
  return (
    <Card title={t.topics.title} description={t.contacts.topicsOfFile}>
      <div className="space-y-2">
        {topics.map(({ id, name }) => (
          <CheckField
            key={id}
            name={`topic-${id}`}
            label={name}
            checked={chosen.includes(id)}
            onChange={event =>
              onChange(event.target.checked ? [...chosen, id] : chosen.filter(each => each !== id))
            }
          />
        ))}
      </div>
    </Card>
  )
}
