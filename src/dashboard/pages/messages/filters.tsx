// The filters above the ledger. They are kept in the address, so that a search can be sent to somebody.

import { useQuery } from '@tanstack/react-query'
import type { ComponentProps, ReactNode } from 'react'
import { t } from '../../texts'
import { classes } from '../../ui/classes'
import { FilterSelect } from '../../ui/filter-select'
import { formatCompact } from '../../ui/format'
import { useFilterFields } from '../../ui/list-page'
import { SearchField } from '../../ui/search-field'
import { type Filters, namesQuery, spans, troubleKinds, troublesQuery } from './data'

export function FilterBar({ filters }: { filters: Filters }) {
  const field = useFilterFields(filters)
  const { data } = useQuery(namesQuery)
  return (
    <div className="space-y-3">
      <Troubles chosen={filters.trouble} onChange={field('trouble').onChange} />
      <div className="grid grid-cols-2 gap-2 md:flex md:flex-wrap">
        <SearchField className="max-md:col-span-2 md:w-36" label={t.messages.searchTo} {...field('to')} />
        <SearchField className="max-md:col-span-2 md:w-36" label={t.words.subject} {...field('subject')} />
        <Choice
          label={t.messages.anyTime}
          options={spans.map(days => [days, t.messages.lastDays(Number(days))])}
          {...field('days')}
        />
        {(['template', 'campaign', 'workflow'] as const).map(kind => (
          <Choice
            key={kind}
            label={t.messages.anyOf[kind]}
            options={(data?.[kind] ?? []).map(({ id, name }) => [id, name])}
            {...field(kind)}
          />
        ))}
      </div>
    </div>
  )
}

/** A choice that is outlined while it filters. */
function Choice(props: ComponentProps<typeof FilterSelect>) {
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

function Pill({ isOn, onClick, children }: { isOn: boolean; onClick: () => void; children: ReactNode }) {
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
