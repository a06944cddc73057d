// The visual builder of filter trees: for segments, audiences of campaigns, the table of contacts, and conditions of workflows.
//
//   const [tree, setTree] = useState<FilterTree | undefined>(segment.condition)   // undefined: no condition
//   <FilterBuilder value={tree} onChange={setTree} />                             // `without`: id of a segment that can't be named
//   <FilterResult value={tree} />                                                 // in words, live count, a few who match
//   <Button disabled={!isComplete(tree)} …>                                       // only whole trees may go to the API
//
// `onChange` is called with every step, even with conditions that still lack a value. A `value` that did not come from `onChange`
// (loaded, put back) starts the builder anew. It loads fields, events and segments of the project by itself.
import { Plus, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { t } from '../../texts'
import { Button, IconButton } from '../../ui/button'
import { Select } from '../../ui/field'
import { Condition } from './condition'
import {
  blankGroup,
  blankLeaf,
  deepestGroup,
  type FilterItem,
  type FilterTree,
  type Group,
  isGroup,
  toNode,
  toTree,
} from './tree'
import { useVocabulary, type Vocabulary } from './vocabulary'

interface FilterBuilderProps {
  value: FilterTree | undefined
  onChange: (tree: FilterTree | undefined) => void
  /** The segment that is being edited: it can't be part of itself. */
  without?: string
}

export function FilterBuilder({ value, onChange, without }: FilterBuilderProps) {
  const [root, setRoot] = useState(() => toNode(value))
  const reported = useRef(value)
  useEffect(() => {
    if (value !== reported.current) setRoot(toNode(value))
    reported.current = value
  }, [value])
  const all = useVocabulary()
  const vocabulary = { ...all, segments: all.segments.filter(({ id }) => id !== without) }
  const change = (next: Group): void => {
    setRoot(next)
    reported.current = toTree(next)
    onChange(reported.current)
  }
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">{t.filter.legend}</legend>
      <GroupBox group={root} depth={1} vocabulary={vocabulary} onChange={change} />
    </fieldset>
  )
}

interface GroupBoxProps {
  group: Group
  depth: number
  vocabulary: Vocabulary
  onChange: (group: Group) => void
  onRemove?: () => void
}

function GroupBox({ group, depth, vocabulary, onChange, onRemove }: GroupBoxProps) {
  const { items, logic } = group
  const put = (items: FilterItem[]): void => onChange({ ...group, items })
  const replace = (item: FilterItem) => put(items.map(each => (each.key === item.key ? item : each)))
  const remove = (item: FilterItem) => {
    const remaining = items.filter(each => each.key !== item.key)
    if (remaining.length === 0 && onRemove) onRemove()
    else put(remaining)
  }
  return (
    <div className={depth === 1 ? 'space-y-2.5' : 'space-y-2.5 rounded-lg border border-line bg-sunken p-3'}>
      {(items.length > 1 || onRemove) && (
        <Join logic={logic} onChange={logic => onChange({ ...group, logic })} onRemove={onRemove} />
      )}
      {items.map(item =>
        isGroup(item) ? (
          <GroupBox
            key={item.key}
            group={item}
            depth={depth + 1}
            vocabulary={vocabulary}
            onChange={replace}
            onRemove={() => remove(item)}
          />
        ) : (
          <Condition
            key={item.key}
            filter={item.filter}
            vocabulary={vocabulary}
            onChange={filter => replace({ ...item, filter })}
            onRemove={() => remove(item)}
          />
        ),
      )}
      <div className="flex gap-2">
        <Button onClick={() => put([...items, blankLeaf()])}>
          <Plus aria-hidden /> {t.filter.addCondition}
        </Button>
        {depth < deepestGroup && items.length > 0 && (
          <Button variant="quiet" onClick={() => put([...items, blankGroup(logic === 'AND' ? 'OR' : 'AND')])}>
            <Plus aria-hidden /> {t.filter.addGroup}
          </Button>
        )}
      </div>
    </div>
  )
}

interface JoinProps {
  logic: Group['logic']
  onChange: (logic: Group['logic']) => void
  onRemove?: () => void
}

function Join({ logic, onChange, onRemove }: JoinProps) {
  return (
    <div className="flex items-center gap-2">
      <span className="text-quiet">{t.filter.match}</span>
      <div className="w-40">
        <Select
          label={t.filter.match}
          value={logic}
          options={[
            ['AND', t.filter.all],
            ['OR', t.filter.any],
          ]}
          onChange={next => onChange(next as Group['logic'])}
        />
      </div>
      {onRemove && (
        <IconButton label={t.filter.removeGroup} className="ml-auto" onClick={onRemove}>
          <Trash2 aria-hidden />
        </IconButton>
      )}
    </div>
  )
}
