// When marketing mail may leave, and how much of it a contact gets: the time zone, quiet hours and the cap.
import { useState } from 'react'
import { isAdmin, type Project } from '../../app/session'
import { t } from '../../texts'
import { CheckField, SelectField, TextField } from '../../ui/field'
import { Form, SubmitButton, type Values } from '../../ui/form'
import { Card } from '../../ui/page'
import { zones } from '../../ui/zone'
import { type Changes, useSettings } from './save'

const holds = ['LATER', 'SKIP'] as const
type Hold = (typeof holds)[number]

export function MailRules({ project }: { project: Project }) {
  const words = t.settings.mailRules
  const { shown, taken, store } = useSettings(project)
  return (
    <Card title={words.title} description={words.hint}>
      <Form key={taken} onSubmit={values => store(rulesOf(values))}>
        <Rules project={shown} />
      </Form>
    </Card>
  )
}

function Rules({ project }: { project: Project }) {
  const words = t.settings.mailRules
  const disabled = !isAdmin(project)
  const { timeZone, timeZoneField, quietHours, mailCap } = project
  const [quiet, setQuiet] = useState(quietHours !== null)
  const [cap, setCap] = useState(mailCap !== null)
  const known = [...new Set([...(timeZone ? [timeZone] : []), ...zones()])]
  return (
    <>
      <div className="grid gap-4 md:grid-cols-2">
        <SelectField
          name="timeZone"
          label={t.words.timeZone}
          hint={words.timeZoneHint}
          defaultValue={timeZone ?? ''}
          disabled={disabled}
        >
          <option value="">UTC</option>
          {known
            .filter(zone => zone !== 'UTC')
            .map(zone => (
              <option key={zone}>{zone}</option>
            ))}
        </SelectField>
        <TextField
          name="timeZoneField"
          label={words.timeZoneField}
          hint={words.timeZoneFieldHint}
          placeholder="timezone"
          defaultValue={timeZoneField ?? ''}
          maxLength={100}
          disabled={disabled}
        />
      </div>
      <CheckField
        name="quiet"
        label={words.quiet}
        checked={quiet}
        onChange={event => setQuiet(event.target.checked)}
        disabled={disabled}
      />
      {quiet && (
        <div className="grid gap-4 md:grid-cols-[1fr_1fr_2fr]">
          <TextField
            name="quietHours"
            type="time"
            label={words.quietFrom}
            defaultValue={quietHours?.from}
            required
            disabled={disabled}
          />
          <TextField
            name="quietTo"
            type="time"
            label={words.quietTo}
            defaultValue={quietHours?.to}
            required
            disabled={disabled}
          />
          <HoldField name="quietHold" value={quietHours?.whenHeld} disabled={disabled} />
        </div>
      )}
      <CheckField
        name="cap"
        label={words.cap}
        checked={cap}
        onChange={event => setCap(event.target.checked)}
        disabled={disabled}
      />
      {cap && (
        <div className="grid gap-4 md:grid-cols-[1fr_1fr_2fr]">
          <TextField
            name="mailCap"
            type="number"
            label={words.capMessages}
            min={1}
            max={100}
            defaultValue={mailCap?.messages}
            required
            disabled={disabled}
          />
          <TextField
            name="capDays"
            type="number"
            label={words.capDays}
            min={1}
            max={30}
            defaultValue={mailCap?.days}
            required
            disabled={disabled}
          />
          <HoldField name="capHold" value={mailCap?.whenHeld} disabled={disabled} />
        </div>
      )}
      {!disabled && <SubmitButton look="plain">{t.words.save}</SubmitButton>}
    </>
  )
}

function HoldField({ name, value, disabled }: { name: string; value?: Hold; disabled: boolean }) {
  const words = t.settings.mailRules
  return (
    <SelectField name={name} label={words.whenHeld} defaultValue={value} disabled={disabled}>
      {holds.map(hold => (
        <option key={hold} value={hold}>
          {words.holds[hold]}
        </option>
      ))}
    </SelectField>
  )
}

/** A rule is taken away by its own switch alone: a field that is empty or half typed is refused. */
function rulesOf(values: Values): Changes {
  const {
    timeZone,
    timeZoneField,
    quiet,
    quietHours: from,
    quietTo: to,
    cap,
    mailCap: messages,
    capDays: days,
  } = values
  const hold = (name: string): Hold => (values[name] === 'SKIP' ? 'SKIP' : 'LATER')
  return {
    timeZone: timeZone || null,
    timeZoneField: timeZoneField?.trim() || null,
    quietHours: quiet === 'on' ? { from: from ?? '', to: to ?? '', whenHeld: hold('quietHold') } : null,
    mailCap:
      cap === 'on' ? { messages: Number(messages), days: Number(days), whenHeld: hold('capHold') } : null,
  }
}
