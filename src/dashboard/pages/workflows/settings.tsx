// What starts a workflow, its name, and how often a contact may go through it. Saved separately, since it belongs to the workflow and to
// no step.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { answer, api, type Schemas } from '../../api/client'
import { ForSenders, ForWritersFields } from '../../app/rights'
import { t } from '../../texts'
import { Dialog } from '../../ui/dialog'
import { CheckField, SelectField, TextArea, TextField } from '../../ui/field'
import { Form, type Values } from '../../ui/form'
import { DialogButtons } from '../../ui/form-dialog'
import { isSubscription, segmentsQuery, type Whole } from './data'
import { EventField } from './panel/fields'
import { type Rhythm, readRhythm, timeOf, writeRhythm } from './rhythm'

type Changed = Schemas['ChangedWorkflow']

interface SettingsProps {
  workflow: Whole
  /** The revision that the change starts from. */
  settled: () => Promise<number>
  open: boolean
  onClose: () => void
  onChanged: (changed: Changed) => Promise<void>
}

const triggers = ['EVENT', 'MANUAL', 'SCHEDULE'] as const
type TriggerType = (typeof triggers)[number]

export function Settings({ workflow, settled, open, onClose, onChanged }: SettingsProps) {
  return (
    <Dialog open={open} onClose={onClose} title={t.settings.title}>
      <SettingsForm {...{ workflow, settled, onClose, onChanged }} />
    </Dialog>
  )
}

function SettingsForm({ workflow, settled, onClose, onChanged }: Omit<SettingsProps, 'open'>) {
  const [type, setType] = useState(workflow.triggerType as TriggerType)
  const save = async (values: Values): Promise<void> => {
    const trigger = { triggerType: type, triggerConfig: configOf(type, values) }
    const isOther =
      type !== workflow.triggerType ||
      JSON.stringify(trigger.triggerConfig) !== JSON.stringify(workflow.triggerConfig)
    const body = {
      name: values['name'],
      description: values['description'] || null,
      allowReentry: values['allowReentry'] === 'on',
      maxStartsPerHour: Number(values['maxStartsPerHour']),
      ...(type === 'EVENT' && { includeBulkChanges: values['includeBulkChanges'] === 'on' }),
      revision: await settled(),
      ...(isOther ? trigger : {}),
    }
    const path = { id: workflow.id }
    await onChanged(await answer(api.PATCH('/workflows/{id}', { params: { path }, body: body as never })))
    onClose()
  }
  return (
    <Form onSubmit={save}>
      <ForWritersFields className="space-y-4">
        <TextField name="name" label={t.words.name} defaultValue={workflow.name} required maxLength={100} />
        <TextArea
          name="description"
          label={t.words.description}
          optional
          rows={2}
          maxLength={500}
          defaultValue={workflow.description ?? ''}
        />
        <SelectField
          name="triggerType"
          label={t.workflows.startsWith}
          value={type}
          options={triggers.map(each => [each, t.workflows.triggers[each]])}
          onChange={event => setType(event.target.value as TriggerType)}
        />
        {type === 'EVENT' && <EventTrigger workflow={workflow} />}
        {type === 'MANUAL' && <p className="text-quiet">{t.workflows.manualHint}</p>}
        {type === 'SCHEDULE' && <ScheduleTrigger workflow={workflow} />}
        <CheckField
          name="allowReentry"
          label={t.workflows.reentry}
          hint={t.workflows.reentryHint}
          defaultChecked={workflow.allowReentry}
        />
        <TextField
          name="maxStartsPerHour"
          label={t.workflows.maxStarts}
          hint={t.workflows.maxStartsHint}
          type="number"
          min={1}
          max={10_000}
          required
          defaultValue={workflow.maxStartsPerHour}
        />
      </ForWritersFields>
      <ForSenders when={workflow.enabled} label={t.words.save}>
        <DialogButtons onCancel={onClose}>{t.words.save}</DialogButtons>
      </ForSenders>
    </Form>
  )
}

function configOf(type: TriggerType, values: Values): Record<string, unknown> | null {
  if (type === 'MANUAL') return null
  if (type === 'EVENT') return { eventName: values['triggerConfig.eventName'] ?? '' }
  const [hour = '9', minute = '0'] = (values['time'] ?? '').split(':')
  const rhythm = {
    kind: (values['rhythm'] || 'weekly') as Rhythm['kind'],
    hour: Number(hour),
    minute: Number(minute),
    weekday: Number(values['weekday'] ?? 1),
    day: Number(values['day'] ?? 1),
  }
  return {
    cron: values['triggerConfig.cron'] ?? writeRhythm(rhythm),
    timezone: values['triggerConfig.timezone'] || 'UTC',
    segmentId: values['triggerConfig.segmentId'] || null,
  }
}

function EventTrigger({ workflow: { triggerConfig, includeBulkChanges } }: Pick<SettingsProps, 'workflow'>) {
  const [eventName, setEventName] = useState(
    ((triggerConfig ?? {}) as { eventName?: string }).eventName ?? '',
  )
  const name = eventName.trim()
  return (
    <>
      <EventField
        name="triggerConfig.eventName"
        label={t.workflows.startEvent}
        hint={t.workflows.startEventHint}
        value={eventName}
        onChange={setEventName}
        required
      />
      {isSubscription(name) && (
        <CheckField
          name="includeBulkChanges"
          label={t.workflows.includeBulk}
          hint={t.contacts.starts[name]}
          defaultChecked={includeBulkChanges}
        />
      )}
    </>
  )
}

const kinds = ['daily', 'weekly', 'monthly', 'cron'] as const
const usual: Rhythm = { kind: 'weekly', hour: 9, minute: 0, weekday: 1, day: 1 }

function ScheduleTrigger({ workflow: { triggerConfig } }: Pick<SettingsProps, 'workflow'>) {
  const { data: segments = [] } = useQuery(segmentsQuery)
  const { cron, timezone, segmentId } = (triggerConfig ?? {}) as Partial<Record<string, string>>
  const known = cron === undefined ? usual : readRhythm(cron)
  const [kind, setKind] = useState<(typeof kinds)[number]>(known?.kind ?? 'cron')
  return (
    <>
      <div className="grid grid-cols-2 gap-3">
        <SelectField
          name="rhythm"
          label={t.workflows.rhythm}
          value={kind}
          options={kinds.map(each => [each, t.workflows.rhythmKinds[each]])}
          onChange={event => setKind(event.target.value as (typeof kinds)[number])}
        />
        {kind === 'cron' ? (
          <TextField
            name="triggerConfig.cron"
            label={t.workflows.cron}
            defaultValue={cron ?? '0 9 * * 1'}
            required
          />
        ) : (
          <TextField
            name="time"
            type="time"
            label={t.workflows.time}
            defaultValue={timeOf(known ?? usual)}
            required
          />
        )}
        {kind === 'weekly' && (
          <SelectField
            name="weekday"
            label={t.workflows.weekday}
            defaultValue={known?.weekday ?? 1}
            options={t.workflows.weekdays.map((name, day) => [String(day), name])}
          />
        )}
        {kind === 'monthly' && (
          <TextField
            name="day"
            type="number"
            min={1}
            max={31}
            label={t.workflows.dayOfMonth}
            defaultValue={known?.day ?? 1}
          />
        )}
        <TextField
          name="triggerConfig.timezone"
          label={t.words.timeZone}
          defaultValue={timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone}
          maxLength={100}
        />
      </div>
      <SelectField
        name="triggerConfig.segmentId"
        label={t.workflows.who}
        defaultValue={segmentId ?? ''}
        options={[['', t.workflows.everybody], ...segments.map(({ id, name }) => [id, name] as const)]}
      />
    </>
  )
}
