// When marketing mail may leave, and how much of it a contact gets: the time zone, quiet hours and the cap.
import { type ReactNode, useState } from 'react'
import type { Project } from '../../app/session'
import { t } from '../../texts'
import { CheckField, SelectField, TextField } from '../../ui/field'
import type { Values } from '../../ui/form'
import { zones } from '../../ui/zone'
import { SettingsCard } from './frame'
import type { Changes } from './save'

const holds = ['LATER', 'SKIP'] as const
type Hold = (typeof holds)[number]

export function MailRules({ project }: { project: Project }) {
  const { title, hint } = t.settings.mailRules
  return (
    <SettingsCard project={project} title={title} description={hint} read={rulesOf}>
      {stored => <Rules project={stored} />}
    </SettingsCard>
  )
}

function Rules({ project: { timeZone, timeZoneField, quietHours, mailCap } }: { project: Project }) {
  const words = t.settings.mailRules
  const known = [...new Set([...(timeZone ? [timeZone] : []), ...zones()])].filter(zone => zone !== 'UTC')
  return (
    <>
      <div className="grid gap-4 md:grid-cols-2">
        <SelectField
          name="timeZone"
          label={t.words.timeZone}
          hint={words.timeZoneHint}
          defaultValue={timeZone ?? ''}
          options={[['', 'UTC'], ...known.map(zone => [zone, zone] as const)]}
        />
        <TextField
          name="timeZoneField"
          label={words.timeZoneField}
          hint={words.timeZoneFieldHint}
          placeholder="timezone"
          defaultValue={timeZoneField ?? ''}
          maxLength={100}
        />
      </div>
      <Rule name="quiet" label={words.quiet} isOn={quietHours !== null} whenHeld={quietHours?.whenHeld}>
        <TextField
          name="quietHours"
          type="time"
          label={words.quietFrom}
          defaultValue={quietHours?.from}
          required
        />
        <TextField name="quietTo" type="time" label={words.quietTo} defaultValue={quietHours?.to} required />
      </Rule>
      <Rule name="cap" label={words.cap} isOn={mailCap !== null} whenHeld={mailCap?.whenHeld}>
        <TextField
          name="mailCap"
          type="number"
          label={words.capMessages}
          min={1}
          max={100}
          defaultValue={mailCap?.messages}
          required
        />
        <TextField
          name="capDays"
          type="number"
          label={words.capDays}
          min={1}
          max={30}
          defaultValue={mailCap?.days}
          required
        />
      </Rule>
    </>
  )
}

interface RuleProps {
  name: string
  label: string
  isOn: boolean
  whenHeld: Hold | undefined
  children: ReactNode
}

/** A switch, and below it what the rule says while it is on. */
function Rule({ name, label, isOn, whenHeld, children }: RuleProps) {
  const [on, setOn] = useState(isOn)
  const words = t.settings.mailRules
  return (
    <>
      <CheckField name={name} label={label} checked={on} onChange={event => setOn(event.target.checked)} />
      {on && (
        <div className="grid gap-4 md:grid-cols-[1fr_1fr_2fr]">
          {children}
          <SelectField
            name={`${name}Hold`}
            label={words.whenHeld}
            defaultValue={whenHeld}
            options={holds.map(hold => [hold, words.holds[hold]])}
          />
        </div>
      )}
    </>
  )
}

/** A rule is taken away by its own switch alone: a field that is empty or half typed is refused. */
function rulesOf(values: Values): Changes {
  const { timeZone, timeZoneField, quiet, quietHours, quietTo, cap, mailCap, capDays } = values
  const hold = (name: string): Hold => (values[name] === 'SKIP' ? 'SKIP' : 'LATER')
  const hours = { from: quietHours ?? '', to: quietTo ?? '', whenHeld: hold('quietHold') }
  const limit = { messages: Number(mailCap), days: Number(capDays), whenHeld: hold('capHold') }
  return {
    timeZone: timeZone || null,
    timeZoneField: timeZoneField?.trim() || null,
    quietHours: quiet === 'on' ? hours : null,
    mailCap: cap === 'on' ? limit : null,
  }
}
