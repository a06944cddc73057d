// What an import would do, judged by its first rows: how many contacts are new, how many exist, how many rows have no address.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { answer, api } from '../../api/client'
import { t } from '../../texts'
import { Button } from '../../ui/button'
import { formatNumber } from '../../ui/format'
import { Loaded } from '../../ui/loading'
import { Card } from '../../ui/page'
import type { Table, Target } from './csv'

/** How many rows are looked up; as many as the server takes at once. */
const looked = 500

const addressForm = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/

interface PreviewProps {
  table: Table
  mapping: readonly Target[]
  onStart: () => Promise<void>
}

export function Preview({ table: { rows }, mapping, onStart }: PreviewProps) {
  const [busy, setBusy] = useState(false)
  const column = mapping.indexOf('email')
  const addresses = rows.slice(0, looked).map(row => row[column]?.trim().toLowerCase() ?? '')
  const whole = addresses.filter(address => addressForm.test(address) && address.length <= 254)
  const valid = [...new Set(whole)]
  const query = useQuery({
    queryKey: ['contacts', 'lookup', valid],
    queryFn: ({ signal }) => answer(api.POST('/contacts/lookup', { body: { emails: valid }, signal })),
    enabled: valid.length > 0,
  })
  if (column === -1) return <p className="text-warn">{t.contacts.noEmailColumn}</p>
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
      <p className="mt-5">{t.contacts.importConsent}</p>
      <p className="mt-1 text-quiet">{t.contacts.importStartsNone}</p>
      <Button
        look="strong"
        className="mt-3"
        busy={busy}
        disabled={rows.length === 0}
        onClick={async () => {
          setBusy(true)
          await onStart()
          setBusy(false)
        }}
      >
        {t.contacts.startImport(rows.length)}
      </Button>
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
