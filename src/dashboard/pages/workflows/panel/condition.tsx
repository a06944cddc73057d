// The panel of a condition: a filter as in segments, with yes and no; a comparison of one value, which may come from the event; or one
// value with a branch for each of several answers.
import { useQuery } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { FilterBuilder } from '../../../editor/filter/builder'
import type { FilterTree } from '../../../editor/filter/tree'
import { branchesOf, type Config, hasManyBranches, newStepId } from '../../../editor/flow/graph'
import { t } from '../../../texts'
import { Button, IconButton } from '../../../ui/button'
import { classes } from '../../../ui/classes'
import { inputClass, SelectField, TextField } from '../../../ui/field'
import { fieldsQuery } from '../data'
import { type PanelProps, readTyped, textOf } from './fields'

const operators = [
  'equals',
  'notEquals',
  'contains',
  'notContains',
  'greaterThan',
  'lessThan',
  'greaterThanOrEqual',
  'lessThanOrEqual',
  'exists',
  'notExists',
] as const

const forms = ['filter', 'one', 'many'] as const
type Form = (typeof forms)[number]

interface ConditionProps extends PanelProps {
  /** The event that starts the workflow: its data can be compared too. */
  eventName?: string
}

export function ConditionPanel({ config, onChange, eventName }: ConditionProps) {
  const form = formOf(config)
  const change = (next: Form): void => {
    const field = textOf(config['field'])
    if (next === 'filter') onChange({})
    if (next === 'one') onChange({ field, operator: 'equals', value: '' })
    if (next === 'many') onChange({ field, mode: 'multi', branches: [newBranch()] })
  }
  return (
    <>
      <SelectField
        name="form"
        label={t.workflows.asks}
        value={form}
        options={forms.map(each => [each, t.workflows.forms[each]])}
        onChange={event => change(event.target.value as Form)}
      />
      {form === 'filter' && (
        <FilterBuilder
          value={treeOf(config)}
          onChange={filter => onChange(filter ? { filter } : {}, 'filter')}
        />
      )}
      {form !== 'filter' && (
        <FieldName
          value={textOf(config['field'])}
          eventName={eventName}
          onChange={field =>
            onChange(
              form === 'one' ? { operator: 'equals', value: '', ...config, field } : { ...config, field },
              'field',
            )
          }
        />
      )}
      {form === 'one' && <Comparison path="config" of={config} onChange={onChange} />}
      {form === 'many' && <Branches config={config} onChange={onChange} />}
    </>
  )
}

function formOf(config: Config): Form {
  if (hasManyBranches(config)) return 'many'
  return 'field' in config || 'operator' in config ? 'one' : 'filter'
}

/** The filter of a condition, wherever it is given. */
function treeOf(config: Config): FilterTree | undefined {
  if ('groups' in config) return config as unknown as FilterTree
  return (config['filter'] ?? config['condition']) as FilterTree | undefined
}

function newBranch(): Branch {
  return { id: newStepId().slice(-8), name: '', operator: 'equals', value: '' }
}

interface Branch {
  id: string
  name?: string
  operator: string
  value?: unknown
}

interface FieldNameProps {
  value: string
  eventName?: string
  onChange: (field: string) => void
}

function FieldName({ value, eventName, onChange }: FieldNameProps) {
  const { data: fields = [] } = useQuery(fieldsQuery(eventName))
  return (
    <TextField
      name="config.field"
      label={t.workflows.field}
      hint={t.workflows.fieldHint}
      value={value}
      suggestions={fields}
      onChange={event => onChange(event.target.value)}
    />
  )
}

interface ComparisonProps {
  /** The field's path in the server's faults. */
  path: string
  of: Config
  onChange: (config: Config, key?: string) => void
}

function Comparison({ path, of, onChange }: ComparisonProps) {
  const operator = textOf(of['operator']) || 'equals'
  const { value, ...rest } = of
  const needsValue = operator !== 'exists' && operator !== 'notExists'
  return (
    <div className={classes('grid gap-2', needsValue && 'grid-cols-[3fr_2fr]')}>
      <SelectField
        name={`${path}.operator`}
        label={t.workflows.operator}
        value={operator}
        options={operators.map(each => [each, t.workflows.operators[each]])}
        onChange={event => {
          const bare = event.target.value === 'exists' || event.target.value === 'notExists'
          onChange({ ...rest, operator: event.target.value, ...(bare ? {} : { value: value ?? '' }) })
        }}
      />
      {needsValue && (
        <TextField
          name={`${path}.value`}
          label={t.words.value}
          value={value === undefined ? '' : String(value)}
          onChange={event =>
            onChange({ ...of, operator, value: readTyped(event.target.value) }, `${path}.value`)
          }
        />
      )}
    </div>
  )
}

function Branches({ config, onChange }: PanelProps) {
  const branches = branchesOf(config) as Branch[]
  const put = (next: Branch[], key?: string): void => onChange({ ...config, branches: next }, key)
  const replace = (branch: Branch, key?: string) =>
    put(
      branches.map(each => (each.id === branch.id ? branch : each)),
      key,
    )
  return (
    <div className="space-y-3">
      {branches.map((branch, index) => (
        <fieldset key={branch.id} className="space-y-2 rounded-lg border border-line p-3">
          <legend className="sr-only">{t.workflows.branch(index + 1)}</legend>
          <div className="flex gap-2">
            <input
              aria-label={t.workflows.branchName}
              placeholder={t.workflows.branch(index + 1)}
              className={inputClass}
              maxLength={100}
              value={branch.name ?? ''}
              onChange={event => replace({ ...branch, name: event.target.value }, `name.${branch.id}`)}
            />
            <IconButton
              label={t.workflows.removeBranch(branch.name || String(index + 1))}
              disabled={branches.length === 1}
              onClick={() => put(branches.filter(each => each !== branch))}
            >
              <X aria-hidden />
            </IconButton>
          </div>
          <Comparison
            path={`config.branches.${index}`}
            of={branch as unknown as Config}
            onChange={(next, key) => replace(next as unknown as Branch, key)}
          />
        </fieldset>
      ))}
      {branches.length < 20 && (
        <Button onClick={() => put([...branches, newBranch()])}>
          <Plus aria-hidden /> {t.workflows.addBranch}
        </Button>
      )}
    </div>
  )
}
