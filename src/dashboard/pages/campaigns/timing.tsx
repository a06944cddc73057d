// When each recipient gets a campaign: at a local time, within hours and on weekdays, spread over a span. A line, until somebody wants it.
import { language, t } from '../../texts'
import { SelectField, TextField } from '../../ui/field'
import { typed } from '../../ui/typed'
import { OnRequest } from './on-request'
import { allDays, type TimingDraft } from './timing-draft'

interface TimingProps {
  value: TimingDraft
  onChange: (timing: TimingDraft) => void
}

export function TimingFields({ value, onChange }: TimingProps) {
  const words = t.campaigns.timing
  const change = (part: Partial<TimingDraft>): void => onChange({ ...value, ...part })
  const field = (member: 'localTime' | 'from' | 'to' | 'spreadHours') =>
    typed(value[member], text => change({ [member]: text }))
  return (
    <OnRequest label={words.use} isOn={value.isOn} onChange={isOn => change({ isOn })}>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField name="timing.localTime" type="time" label={words.localTime} {...field('localTime')} />
        <SelectField
          name="passed"
          label={words.passed}
          value={value.passed}
          options={(['NEXT_DAY', 'NOW'] as const).map(rule => [rule, words.passedRules[rule]])}
          onChange={event => change({ passed: event.target.value as TimingDraft['passed'] })}
        />
        <TextField name="timing.window" type="time" label={words.from} {...field('from')} />
        <TextField name="to" type="time" label={words.to} {...field('to')} />
      </div>
      <fieldset>
        <legend className="mb-1.5 font-medium">{words.weekdays}</legend>
        <div className="flex flex-wrap gap-x-4 gap-y-1">
          {allDays.map(day => (
            <label key={day} className="flex min-h-8 items-center gap-1.5 max-md:min-h-11">
              <input
                type="checkbox"
                className="size-4 accent-accent"
                checked={value.weekdays.includes(day)}
                onChange={event =>
                  change({
                    weekdays: allDays.filter(each =>
                      each === day ? event.target.checked : value.weekdays.includes(each),
                    ),
                  })
                }
              />
              {nameOfDay(day)}
            </label>
          ))}
        </div>
      </fieldset>
      <TextField
        name="timing.spreadHours"
        type="number"
        min={1}
        max={168}
        label={words.spread}
        hint={words.hint}
        {...field('spreadHours')}
      />
    </OnRequest>
  )
}

/** The first of January 2024 was a Monday. */
export function nameOfDay(day: number): string {
  const form = new Intl.DateTimeFormat(language(), { weekday: 'short', timeZone: 'UTC' })
  return form.format(Date.UTC(2024, 0, day))
}
