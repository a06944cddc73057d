// What an import would do, judged by the first rows: ten of them as they will stand, how many are new, and what is not of its type.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { answer, api } from '../../../api/client'
import { t } from '../../../texts'
import { formatNumber } from '../../../ui/format'
import { Loaded } from '../../../ui/loading'
import { Card } from '../../../ui/page'
import { Segmented } from '../../../ui/segmented'
import { nextTask, type Table } from '../csv'
import { shownValue } from '../value'
import { findMisfits, type Misfits, type Plan } from './plan'
import { type CellType, readCell } from './values'

/** How many rows are looked up; as many as the server takes at once. */
const looked = 500
const shownRows = 10

const addressForm = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/

const isAddress = (text: string): boolean => addressForm.test(text) && text.length <= 254

interface PreviewProps {
  table: Table
  plan: Plan
  onChange: (part: Partial<Plan>) => void
}

export function Preview({ table, plan, onChange }: PreviewProps) {
  const { rows } = table
  const column = plan.columns.findIndex(({ target }) => target === 'email')
  const addresses = rows.slice(0, looked).map(row => row[column]?.trim().toLowerCase() ?? '')
  const whole = addresses.filter(isAddress)
  const valid = [...new Set(whole)]
  const query = useQuery({
    queryKey: ['contacts', 'lookup', valid],
    queryFn: ({ signal }) => answer(api.POST('/contacts/lookup', { body: { emails: valid }, signal })),
    enabled: valid.length > 0,
  })
  if (column === -1)
    return (
      <p role="alert" className="text-warn">
        {t.contacts.noEmailColumn}
      </p>
    )
  return (
    <Card title={t.contacts.preview} description={t.contacts.ofFirst(Math.min(looked, rows.length))}>
      {valid.length === 0 ? (
        <Counts refused={addresses.length} />
      ) : (
        <Loaded query={query}>
          {found => (
            <Counts
              created={found?.notFound.length}
              updated={found?.found.length}
              repeated={whole.length - valid.length}
              refused={addresses.length - whole.length}
            />
          )}
        </Loaded>
      )}
      <Rows table={table} plan={plan} column={column} known={new Set(query.data?.found)} />
      <NotOfType table={table} plan={plan} onChange={onChange} />
    </Card>
  )
}

interface CountsProps {
  created?: number | undefined
  updated?: number | undefined
  repeated?: number
  refused: number
}

function Counts({ repeated = 0, ...props }: CountsProps) {
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
      <Figure name={t.contacts.wouldCreate} value={props.created ?? 0} />
      <Figure name={t.contacts.wouldUpdate} value={props.updated ?? 0} />
      {repeated > 0 && <Figure name={t.contacts.wouldRepeat} value={repeated} />}
      <Figure name={t.contacts.wouldRefuse} value={props.refused} />
    </dl>
  )
}

export function Figure({ name, value }: { name: string; value: number }) {
  return (
    <div>
      <dt className="text-quiet">{name}</dt>
      <dd className="text-xl font-semibold tracking-tight tabular-nums">{formatNumber(value)}</dd>
    </div>
  )
}

interface RowsProps {
  table: Table
  plan: Plan
  column: number
  known: ReadonlySet<string>
}

function Rows({ table: { rows }, plan, column, known }: RowsProps) {
  const fields = plan.columns.flatMap(({ target, name, type }, index) =>
    target === 'field' ? [{ name, type, index }] : [],
  )
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard.
    <section aria-label={t.contacts.preview} tabIndex={0} className="mt-4 overflow-x-auto">
      <table className="w-full text-left whitespace-nowrap">
        <thead className="text-quiet">
          <tr className="border-b border-line">
            <th className="py-1.5 pr-4 font-normal">{t.contacts.mapTo.email}</th>
            <th className="py-1.5 pr-4 font-normal">{t.contacts.result}</th>
            {fields.map(({ name, index }) => (
              <th key={index} className="py-1.5 pr-4 font-normal">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, shownRows).map((row, nth) => {
            const email = row[column]?.trim().toLowerCase() ?? ''
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file have nothing but their place.
              <tr key={nth} className="border-b border-line last:border-0">
                <td className="max-w-56 truncate py-1.5 pr-4">{email || '–'}</td>
                <td className="py-1.5 pr-4">
                  {isAddress(email) ? (
                    known.has(email) ? (
                      t.contacts.results.update
                    ) : (
                      t.contacts.results.create
                    )
                  ) : (
                    <span className="text-bad">{t.contacts.results.refuse}</span>
                  )}
                </td>
                {fields.map(({ type, index }) => (
                  <Cell key={index} text={row[index] ?? ''} type={type} skips={plan.misfits === 'skip'} />
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}

function Cell({ text, type, skips }: { text: string; type: CellType; skips: boolean }) {
  const value = text === '' ? '' : readCell(text, type)
  const isMisfit = value === undefined
  const shown = isMisfit ? (skips ? '–' : text) : shownCell(value)
  return (
    <td className="max-w-40 truncate py-1.5 pr-4">
      <span className={isMisfit ? 'text-warn' : undefined}>{shown}</span>
    </td>
  )
}

function shownCell(value: string | number | boolean): string {
  if (typeof value === 'boolean') return value ? t.contacts.yes : t.contacts.no
  return value === '' ? '' : shownValue(value)
}

/** Of all rows, found in slices so that the page answers meanwhile. */
function NotOfType({ table, plan: { columns, misfits }, onChange }: PreviewProps) {
  const [found, setFound] = useState<Misfits>({ count: 0, first: [] })
  const kinds = JSON.stringify(columns.map(({ target, type }) => [target, type]))
  // biome-ignore lint/correctness/useExhaustiveDependencies: names of fields make no difference.
  useEffect(() => {
    const all: Misfits = { count: 0, first: [] }
    let isOver = false
    const check = async (): Promise<void> => {
      for (let at = 0; at < table.rows.length && !isOver; at += 2_000) {
        findMisfits(table, table.rows.slice(at, at + 2_000), at, columns, all)
        await nextTask()
      }
      if (!isOver) setFound(all)
    }
    void check()
    return () => {
      isOver = true
    }
  }, [table, kinds])
  if (found.count === 0) return null
  return (
    <div className="mt-4 space-y-2 border-t border-line pt-4">
      <p className="font-medium text-warn">{t.contacts.misfits(found.count)}</p>
      <ul>
        {found.first.map(({ row, heading, text }) => (
          <li key={`${row} ${heading}`} className="wrap-anywhere">
            <span className="text-quiet tabular-nums">
              {t.contacts.row} {row}
            </span>{' '}
            {heading}: “{text.slice(0, 80)}”
          </li>
        ))}
      </ul>
      <Segmented
        label={t.contacts.misfitsBecome}
        segments={[
          { name: 'keep', label: t.contacts.keepAsText },
          { name: 'skip', label: t.contacts.leaveOut },
        ]}
        value={misfits}
        onChange={next => onChange({ misfits: next })}
      />
    </div>
  )
}
