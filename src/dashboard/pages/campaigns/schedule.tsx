// When a campaign leaves: now, or at a time in some time zone.
import { useId, useState } from 'react'
import { t } from '../../texts'
import { inputClass } from '../../ui/field'
import { formatExact } from '../../ui/format'
import { localIn, momentIn, ownZone, zones } from '../../ui/zone'

interface ScheduleProps {
  /** Undefined: now. */
  value: Date | undefined
  onChange: (at: Date | undefined) => void
  initial?: Date
}

export function Schedule({ value, onChange, initial }: ScheduleProps) {
  const [zone, setZone] = useState(ownZone)
  const [local, setLocal] = useState(() => localIn(ownZone, initial ?? new Date(Date.now() + 3_600_000)))
  const id = useId()
  const change = (nextLocal: string, nextZone: string): void => {
    setLocal(nextLocal)
    setZone(nextZone)
    onChange(momentIn(nextZone, nextLocal))
  }
  return (
    <fieldset className="space-y-3">
      <legend className="sr-only">{t.campaigns.leave}</legend>
      {(['now', 'later'] as const).map(when => (
        <label key={when} className="flex min-h-8 items-center gap-2 max-md:min-h-11">
          <input
            type="radio"
            name={`${id}-when`}
            className="size-4 accent-accent"
            checked={(value === undefined) === (when === 'now')}
            onChange={() => onChange(when === 'now' ? undefined : momentIn(zone, local))}
          />
          {t.campaigns.whens[when]}
        </label>
      ))}
      {value && (
        <>
          <input
            type="datetime-local"
            aria-label={t.campaigns.moment}
            className={inputClass}
            value={local}
            onChange={event => change(event.target.value, zone)}
          />
          <select
            aria-label={t.campaigns.zone}
            className={inputClass}
            value={zone}
            onChange={event => change(local, event.target.value)}
          >
            {zones().map(name => (
              <option key={name}>{name}</option>
            ))}
          </select>
          {zone !== ownZone && <p className="text-quiet">{t.campaigns.hereThatIs(formatExact(value))}</p>}
        </>
      )}
    </fieldset>
  )
}
