// When a campaign is sent: now, or at a time in some time zone.
import { useId } from 'react'
import { t } from '../../texts'
import { inputClass, Select } from '../../ui/field'
import { useFault } from '../../ui/form'
import { formatExact } from '../../ui/format'
import { typed } from '../../ui/typed'
import { ownZone, zones } from '../../ui/zone'
import { momentOf, type ScheduleDraft, scheduleFaults } from './schedule-draft'

interface ScheduleProps {
  value: ScheduleDraft
  onChange: (schedule: ScheduleDraft) => void
}

export function Schedule({ value, onChange }: ScheduleProps) {
  const id = useId()
  const refused = useFault('scheduledFor')
  const fault = refused ?? scheduleFaults(value, Date.now())['scheduledFor']
  const at = momentOf(value)
  return (
    // No part of the draft.
    <fieldset className="space-y-3" data-own-undo>
      <legend className="sr-only">{t.campaigns.leave}</legend>
      {(['now', 'later'] as const).map(when => (
        <label key={when} className="flex min-h-8 items-center gap-2 max-md:min-h-11">
          <input
            type="radio"
            name={`${id}-when`}
            className="size-4 accent-accent"
            checked={value.when === when}
            onChange={() => onChange({ ...value, when })}
          />
          {t.campaigns.whens[when]}
        </label>
      ))}
      {value.when === 'later' && (
        <>
          <input
            type="datetime-local"
            name="scheduledFor"
            aria-label={t.campaigns.moment}
            aria-invalid={fault ? true : undefined}
            aria-describedby={fault ? `${id}-fault` : undefined}
            className={inputClass}
            {...typed(value.local, local => onChange({ ...value, local }))}
          />
          {fault && (
            <p id={`${id}-fault`} role="alert" className="text-bad">
              {fault}
            </p>
          )}
          <Select
            label={t.words.timeZone}
            value={value.zone}
            options={zones().map(name => [name, name])}
            onChange={zone => onChange({ ...value, zone })}
          />
          {at && value.zone !== ownZone && (
            <p className="text-quiet">{t.campaigns.hereThatIs(formatExact(at))}</p>
          )}
        </>
      )}
    </fieldset>
  )
}
