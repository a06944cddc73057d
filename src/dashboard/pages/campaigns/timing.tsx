// When each recipient gets a campaign: at a local time, within hours and on weekdays, spread over a span. A line, until somebody wants it.
import { language, t } from '../../texts'
import { SelectField, TextField } from '../../ui/field'
import { Form, SubmitButton, type Values } from '../../ui/form'
import type { CampaignRow } from './data'
import { OnRequest } from './on-request'

type Timing = NonNullable<CampaignRow['timing']>

interface TimingProps {
  campaign: CampaignRow
  onSave: (timing: Timing | null) => Promise<void>
}

const wholeDay = { from: '00:00', to: '24:00' }
const allDays = [1, 2, 3, 4, 5, 6, 7]

export function TimingFields({ campaign: { timing }, onSave }: TimingProps) {
  const words = t.campaigns.timing
  const hours = timing?.window?.to === wholeDay.to ? undefined : timing?.window
  const weekdays = timing?.window?.weekdays ?? allDays
  return (
    <OnRequest label={words.use} isKept={timing !== null} onGiveUp={() => void onSave(null)}>
      <Form onSubmit={(values, form) => onSave(timingOf(values, form))}>
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            name="timing.localTime"
            type="time"
            label={words.localTime}
            defaultValue={timing?.localTime ?? ''}
          />
          <SelectField name="passed" label={words.passed} defaultValue={timing?.passed ?? 'NEXT_DAY'}>
            <option value="NEXT_DAY">{words.passedRules.NEXT_DAY}</option>
            <option value="NOW">{words.passedRules.NOW}</option>
          </SelectField>
          <TextField name="timing.window" type="time" label={words.from} defaultValue={hours?.from ?? ''} />
          <TextField name="to" type="time" label={words.to} defaultValue={hours?.to ?? ''} />
        </div>
        <fieldset>
          <legend className="mb-1.5 font-medium">{words.weekdays}</legend>
          <div className="flex flex-wrap gap-x-4 gap-y-1">
            {allDays.map(day => (
              <label key={day} className="flex min-h-8 items-center gap-1.5 max-md:min-h-11">
                <input
                  type="checkbox"
                  name="weekday"
                  value={day}
                  className="size-4 accent-accent"
                  defaultChecked={weekdays.includes(day)}
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
          defaultValue={timing?.spreadHours ?? ''}
        />
        <SubmitButton look="plain">{words.save}</SubmitButton>
      </Form>
    </OnRequest>
  )
}

/** The first of January 2024 was a Monday. */
function nameOfDay(day: number): string {
  const form = new Intl.DateTimeFormat(language(), { weekday: 'short', timeZone: 'UTC' })
  return form.format(Date.UTC(2024, 0, day))
}

/** Hours without an end go on until midnight; weekdays alone mean all of the day. */
function timingOf(values: Values, form: FormData): Timing | null {
  const localTime = values['timing.localTime'] || null
  const spreadHours = Number(values['timing.spreadHours']) || null
  const chosen = form.getAll('weekday').map(Number)
  const weekdays = chosen.length === 0 ? allDays : chosen
  const [from, to] = [values['timing.window'] || wholeDay.from, values['to'] || wholeDay.to]
  const isAlways = from === wholeDay.from && to === wholeDay.to && weekdays.length === allDays.length
  const window = isAlways ? null : { from, to, weekdays }
  const passed = values['passed'] === 'NOW' ? 'NOW' : 'NEXT_DAY'
  return localTime || window || spreadHours ? { localTime, passed, window, spreadHours } : null
}
