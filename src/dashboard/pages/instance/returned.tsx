// How many emails came back to the instance, by what was done with them; nothing where none did.
import { t } from '../../texts'
import { formatNumber } from '../../ui/format'
import { Card } from '../../ui/page'
import type { State } from './data'

export function Returned({ returned }: { returned: State['returnedEmails'] }) {
  if (returned.length === 0) return null
  return (
    <Card title={t.instance.returned} description={t.instance.returnedHint}>
      <dl className="grid grid-cols-2 gap-x-8 gap-y-4 sm:grid-cols-3">
        {returned.map(({ outcome, emails }) => (
          <div key={outcome}>
            <dt className="text-quiet">{t.instance.outcomes[outcome]}</dt>
            <dd className="font-medium tabular-nums">{formatNumber(emails)}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
