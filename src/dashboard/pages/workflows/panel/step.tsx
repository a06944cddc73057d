// One step: its name, what it does, where it leads, and removing it. The server's faults are shown at its fields.
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import {
  type AddedType,
  connect,
  edgeAt,
  type Graph,
  isSplit,
  type Port,
  portKey,
  portsOf,
  possibleTargets,
  remove,
  type Step,
  split,
  update,
} from '../../../editor/flow/graph'
import { AddMenu } from '../../../editor/flow/shapes'
import { t } from '../../../texts'
import { Button } from '../../../ui/button'
import { Actions, Dialog } from '../../../ui/dialog'
import { SelectField, TextField } from '../../../ui/field'
import { Faults, type Values } from '../../../ui/form'
import { sayPort } from '../say'
import { ConditionPanel } from './condition'
import { EmailPanel } from './email'
import type { PanelProps } from './fields'
import { ContactPanel, DelayPanel, ExitPanel, WaitPanel, WebhookPanel } from './simple'

export interface StepPanelProps {
  graph: Graph
  step: Step
  eventName?: string
  /** The server's faults, by field. */
  faults: Values
  /** The warning that turning the workflow on would give. */
  warning?: string
  onChange: (graph: Graph, key?: string) => void
  onAdd: (at: { stepId: string; port: Port }, type: AddedType) => void
  onRemoved: () => void
  /** Makes an email for the step, and leads there. */
  onWrite: () => Promise<void>
}

export function StepPanel({
  graph,
  step,
  eventName,
  faults,
  warning,
  onChange,
  onAdd,
  onRemoved,
  onWrite,
}: StepPanelProps) {
  const { id, name, config, templateId } = step
  const change = (part: Parameters<typeof update>[2], key?: string): void =>
    onChange(update(graph, id, part), key && `${id}.${key}`)
  const panel: PanelProps = { config, onChange: (next, key) => change({ config: next }, key) }
  return (
    <Faults of={faults}>
      <div className="space-y-4">
        <Said faults={faults} warning={warning} />
        <TextField
          name="name"
          label={t.workflows.stepName}
          value={name}
          maxLength={100}
          onChange={event => change({ name: event.target.value }, 'name')}
        />
        {step.type === 'SEND_EMAIL' && (
          <EmailPanel
            {...panel}
            templateId={templateId}
            onTemplate={next => change({ templateId: next })}
            onWrite={onWrite}
          />
        )}
        {step.type === 'DELAY' && <DelayPanel {...panel} />}
        {step.type === 'WAIT_FOR_EVENT' && (
          <WaitPanel
            {...panel}
            isSplit={isSplit(graph, id)}
            onSplit={isSplit => onChange(split(graph, id, isSplit))}
          />
        )}
        {step.type === 'CONDITION' && <ConditionPanel {...panel} eventName={eventName} />}
        {step.type === 'UPDATE_CONTACT' && <ContactPanel {...panel} />}
        {step.type === 'WEBHOOK' && <WebhookPanel {...panel} />}
        {step.type === 'EXIT' && <ExitPanel {...panel} />}
        <Branches graph={graph} step={step} onChange={onChange} onAdd={onAdd} />
        <Remove graph={graph} step={step} onChange={onChange} onRemoved={onRemoved} />
      </div>
    </Faults>
  )
}

/** Faults that have no field of their own here, or otherwise the warning. */
function Said({ faults, warning }: Pick<StepPanelProps, 'faults' | 'warning'>) {
  const homeless = Object.entries(faults).filter(([field]) =>
    /^(config(\.(filter|updates|headers|condition|groups).*)?)?$/.test(field),
  )
  const said = homeless.length > 0 ? homeless.map(([, message]) => message) : [warning].filter(Boolean)
  if (said.length === 0 || (homeless.length === 0 && Object.keys(faults).length > 0)) return null
  return (
    <div role="alert" className="rounded-md bg-warn-soft px-3 py-2">
      {said.map(message => (
        <p key={message}>{message}</p>
      ))}
    </div>
  )
}

type BranchesProps = Pick<StepPanelProps, 'graph' | 'step' | 'onChange' | 'onAdd'>

/** What comes next, in each case; another step can be put in between. */
export function Branches({ graph, step, onChange, onAdd }: BranchesProps) {
  const ports = portsOf(graph, step)
  if (ports.length === 0) return null
  const targets = possibleTargets(graph, step.id)
  return (
    <fieldset className="space-y-2 border-t border-line pt-4">
      <legend className="sr-only">{t.workflows.next}</legend>
      {ports.map(port => {
        const label = sayPort(step, port) || t.workflows.next
        return (
          <div key={portKey(port)} className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-2">
            <SelectField
              name={`next.${portKey(port)}`}
              label={label}
              value={edgeAt(graph, step.id, port)?.toStepId ?? ''}
              options={[['', t.workflows.ends], ...targets.map(({ id, name }) => [id, name] as const)]}
              onChange={event => onChange(connect(graph, step.id, port, event.target.value || undefined))}
            />
            <span className="pt-6">
              <AddMenu
                label={t.workflows.addAfter(step.name, sayPort(step, port))}
                onAdd={type => onAdd({ stepId: step.id, port }, type)}
              />
            </span>
          </div>
        )
      })}
    </fieldset>
  )
}

type RemoveProps = Pick<StepPanelProps, 'graph' | 'step' | 'onChange' | 'onRemoved'>

/** If a step has several ways on, one of them is kept, and this asks which. Everything else can simply be undone. */
function Remove({ graph, step, onChange, onRemoved }: RemoveProps) {
  const [asks, setAsks] = useState(false)
  const led = portsOf(graph, step).filter(port => edgeAt(graph, step.id, port))
  const act = (kept?: Port): void => {
    onRemoved()
    onChange(remove(graph, step.id, kept))
  }
  const lost = (kept: Port): number => graph.steps.length - remove(graph, step.id, kept).steps.length - 1
  return (
    <div className="border-t border-line pt-4">
      <Button variant="danger" onClick={() => (led.length > 1 ? setAsks(true) : act())}>
        <Trash2 aria-hidden /> {t.workflows.removeStep}
      </Button>
      <Dialog
        open={asks}
        onClose={() => setAsks(false)}
        title={t.workflows.removeTitle(step.name)}
        description={t.workflows.removeHint}
      >
        <Actions>
          {led.map(port => (
            <Button key={portKey(port)} onClick={() => act(port)}>
              {t.workflows.keepBranch(sayPort(step, port), lost(port))}
            </Button>
          ))}
        </Actions>
      </Dialog>
    </div>
  )
}
