// The filters above the ledger. They are kept in the address, so that a search can be sent to somebody.
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { t } from '../../texts'
import { classes } from '../../ui/classes'
import { FilterSelect } from '../../ui/filter-select'
import { formatCompact } from '../../ui/format'
import { SearchField } from '../../ui/search-field'
import { type Filters, namesQuery, spans, troubleKinds, troublesQuery } from './data'

export function FilterBar({ filters }: { filters: Filters }) {
  const navigate = useNavigate()
  const change = (name: keyof Filters) => (value: string) =>
    void navigate({ to: '/messages', search: { ...filters, [name]: value || undefined }, replace: true })
  return (
    <div className="space-y-3">
      <Troubles chosen={filters.trouble} onChange={change('trouble')} />
      <div className="grid grid-cols-2 gap-2 md:flex md:flex-wrap">
        <SearchField
          className="max-md:col-span-2 md:w-36"
          label={t.messages.searchTo}
          value={filters.to}
          onChange={change('to')}
        />
        <SearchField
          className="max-md:col-span-2 md:w-36"
          label={t.words.subject}
          value={filters.subject}
          onChange={change('subject')}
        />
        <Choice
          label={t.messages.anyTime}
          value={filters.days}
          onChange={change('days')}
          options={spans.map(days => [days, t.messages.lastDays(Number(days))])}
        />
        <Named filters={filters} change={change} />
      </div>
    </div>
  )
}

function Named({
  filters,
  change,
}: {
  filters: Filters
  change: (name: keyof Filters) => (value: string) => void
}) {
  const { data } = useQuery(namesQuery)
  return (['template', 'campaign', 'workflow'] as const).map(kind => (
    <Choice
      key={kind}
      label={t.messages.anyOf[kind]}
      value={filters[kind]}
      onChange={change(kind)}
      options={(data?.[kind] ?? []).map(({ id, name }) => [id, name])}
    />
  ))
}

interface ChoiceProps {
  label: string
  value?: string
  onChange: (value: string) => void
  options: Array<[value: string, name: string]>
}

/** A choice that is outlined while it filters. */
function Choice(props: ChoiceProps) {
  return (
    <FilterSelect {...props} className={classes('md:w-auto md:max-w-39', props.value && 'border-accent')} />
  )
}

function Troubles({ chosen, onChange }: { chosen?: string; onChange: (value: string) => void }) {
  const { data } = useQuery(troublesQuery)
  const countOf = (kind: (typeof troubleKinds)[number]): number =>
    kind === 'any' ? Object.values(data ?? {}).reduce((sum, count) => sum + count, 0) : (data?.[kind] ?? 0)
  return (
    <fieldset className="flex min-w-0 gap-1.5 overflow-x-auto pb-0.5">
      <legend className="sr-only">{t.messages.troubleLegend}</legend>
      <Pill isOn={!chosen} onClick={() => onChange('')}>
        {t.messages.all}
      </Pill>
      {troubleKinds.map(kind => (
        <Pill key={kind} isOn={chosen === kind} onClick={() => onChange(kind)}>
          {t.messages.troubles[kind]}
          {countOf(kind) > 0 && (
            <span className="text-quiet tabular-nums">{formatCompact(countOf(kind))}</span>
          )}
        </Pill>
      ))}
    </fieldset>
  )
}

function Pill({
  isOn,
  onClick,
  children,
}: {
  isOn: boolean
  onClick: () => void
  children: React.ReactNode
}) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={onClick}
      className={classes(
        'inline-flex min-h-8 items-center gap-1.5 whitespace-nowrap rounded-full border px-3 max-md:min-h-11',
        isOn ? 'border-ink bg-hover font-medium text-ink' : 'border-line bg-sheet text-quiet hover:text-ink',
      )}
    >
      {children}
    </button>
  )
}
