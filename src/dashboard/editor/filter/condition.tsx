// One condition: a field, a test, and what the test needs.
import { X } from 'lucide-react'
import { t } from '../../texts'
import { IconButton } from '../../ui/button'
import { Select } from '../../ui/field'
import { FieldChoice } from './field-choice'
import { argumentsOf, campaignReactions, type Kind, kindOf, operatorsOf } from './operators'
import type { Filter } from './tree'
import { type InputProps, ValueInput, WindowInput } from './value-input'
import type { Vocabulary } from './vocabulary'
import { wordOf } from './words'

interface ConditionProps {
  filter: Filter
  vocabulary: Vocabulary
  onChange: (filter: Filter) => void
  onRemove: () => void
}

export function Condition({ filter, vocabulary, onChange, onRemove }: ConditionProps) {
  const { field, operator } = filter
  const kind = kindOf(field, vocabulary.types)
  const choose = (next: string): void => {
    const type = kindOf(next, vocabulary.types)
    const first = operatorsOf(next, type, '')[0]!
    onChange(withOperator({ field: next, operator: '' }, first, type))
  }
  return (
    <div className="@container flex items-start gap-2 max-md:pb-2">
      <div className="grid min-w-0 flex-1 gap-2 @md:grid-cols-3">
        <FieldChoice field={field} vocabulary={vocabulary} onChange={choose} />
        {field !== '' && (
          <>
            <Select
              label={t.filter.operator}
              value={operator}
              options={operatorsOf(field, kind, operator).map(each => [each, wordOf(each, kind)])}
              onChange={next => onChange(withOperator(filter, next, kind))}
            />
            <Needed filter={filter} kind={kind} onChange={onChange} />
          </>
        )}
      </div>
      <IconButton label={t.filter.removeCondition} onClick={onRemove}>
        <X aria-hidden />
      </IconButton>
    </div>
  )
}

function Needed({ filter, kind, onChange }: InputProps) {
  const needs = argumentsOf(filter.operator)
  if (needs === 'none') return null
  const Input = needs === 'window' ? WindowInput : ValueInput
  return <Input key={`${filter.field} ${needs}`} filter={filter} kind={kind} onChange={onChange} />
}

/** The value is kept if the new test needs one of the same kind. */
function withOperator({ field, operator, value, unit }: Filter, next: string, kind: Kind): Filter {
  const needs = argumentsOf(next)
  if (needs === 'none') return { field, operator: next }
  const isSame = operator !== '' && argumentsOf(operator) === needs
  if (needs === 'window') return { field, operator: next, value: isSame ? value : 30, unit: unit ?? 'days' }
  const isTruth = kind === 'subscribed' || kind === 'boolean' || kind === 'topic'
  const first = isTruth ? true : kind === 'campaign' ? campaignReactions[0] : undefined
  return { field, operator: next, value: isSame ? value : first }
}
