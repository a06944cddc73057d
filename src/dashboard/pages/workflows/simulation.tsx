// Trying a workflow out on a clock of its own: for whom, and what happens meanwhile; then the way it would take, moment by moment.
// Unsaved changes are included. Nothing is sent.
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Plus, X } from 'lucide-react'
import { useMemo, useState } from 'react'
import { answer, api } from '../../api/client'
import type { Graph } from '../../editor/flow/graph'
import { keptDraft } from '../../editor/use-draft'
import { t } from '../../texts'
import { Button, IconButton } from '../../ui/button'
import { inputClass, Select, SelectField, TextField } from '../../ui/field'
import { Form, SubmitButton, type Values } from '../../ui/form'
import { Loaded } from '../../ui/loading'
import { Card } from '../../ui/page'
import { toast } from '../../ui/toast'
import { Clock } from './clock'
import { draftName, graphOf, type Simulated, sent, type Whole, workflowQuery } from './data'
import { Frame } from './frame'
import { JsonField, toSeconds, type Unit, units } from './panel/fields'
import { Run } from './run'
import { findContact } from './start'
import { useNames } from './use-names'

const route = getRouteApi('/inside/workflows/$id/simulation')

export function Simulation() {
  const { id } = route.useParams()
  const query = useQuery(workflowQuery(id))
  return (
    <Loaded page query={query}>
      {workflow => <Shown workflow={workflow} />}
    </Loaded>
  )
}

function Shown({ workflow }: { workflow: Whole }) {
  const { id } = workflow
  const { step } = route.useSearch()
  const navigate = useNavigate()
  const names = useNames(workflow)
  const [draft] = useState(() => keptDraft<Graph>(draftName(id)))
  const stored = useMemo(() => graphOf(workflow), [workflow])
  const graph = draft ?? stored
  const [result, setResult] = useState<Simulated>()
  const [until, setUntil] = useState(0)
  const took = (simulated: Simulated): void => {
    setResult(simulated)
    setUntil(simulated.steps.length - 1)
    // On phones the clock is above the form that was just filled in.
    scrollTo({ top: 0 })
  }
  return (
    <Frame workflow={workflow}>
      {draft && <p className="rounded-lg bg-accent-soft px-4 py-3">{t.workflows.triesDraft}</p>}
      <Run
        {...{ graph, names }}
        visits={result?.steps.slice(0, until + 1)}
        chosen={step}
        onChoose={next =>
          void navigate({
            to: '/workflows/$id/simulation',
            params: { id },
            search: { step: next },
            replace: true,
          })
        }
        above={result && <Clock result={result} until={until} onChange={setUntil} />}
        side={
          <Card title={t.workflows.tryIt} description={t.workflows.tryHint}>
            <Setup workflowId={id} graph={draft && sent(draft)} onDone={took} />
          </Card>
        }
      />
    </Frame>
  )
}

interface SetupProps {
  workflowId: string
  graph?: ReturnType<typeof sent>
  onDone: (simulated: Simulated) => void
}

interface Happening {
  key: number
  name: string
  amount: number
  unit: Unit
}

let lastKey = 0

function Setup({ workflowId, graph, onDone }: SetupProps) {
  const [kind, setKind] = useState<'made-up' | 'contact'>('made-up')
  const [happenings, setHappenings] = useState<Happening[]>([])
  const [data, setData] = useState<unknown>()
  const [context, setContext] = useState<unknown>()
  const run = async ({ email = '', subscribed }: Values): Promise<void> => {
    const who =
      kind === 'contact'
        ? { contactId: await findContact(email) }
        : { contact: { email: email || 'somebody@example.com', subscribed: subscribed !== 'no', data } }
    const body = {
      ...who,
      context,
      graph,
      events: happenings
        .filter(({ name }) => name.trim() !== '')
        .map(({ name, amount, unit }) => ({ name: name.trim(), after: toSeconds(amount, unit) })),
    }
    const params = { path: { id: workflowId } }
    onDone(await answer(api.POST('/workflows/{id}/simulate', { params, body: body as never })))
    toast(t.workflows.tried)
  }
  return (
    <Form onSubmit={run}>
      <SelectField
        name="kind"
        label={t.workflows.tryWho}
        value={kind}
        options={[
          ['made-up', t.workflows.madeUp],
          ['contact', t.workflows.realContact],
        ]}
        onChange={event => setKind(event.target.value as 'made-up' | 'contact')}
      />
      <TextField
        key={kind}
        name="email"
        type="email"
        label={t.workflows.contactAddress}
        required={kind === 'contact'}
        defaultValue={kind === 'contact' ? '' : 'somebody@example.com'}
        autoComplete="off"
      />
      {kind === 'made-up' && (
        <>
          <SelectField
            name="subscribed"
            label={t.words.subscription}
            options={[
              ['yes', t.contacts.states.subscribed],
              ['no', t.contacts.states.unsubscribed],
            ]}
          />
          <JsonField
            name="contact.data"
            label={t.words.data}
            hint={t.workflows.dataExample}
            value={data}
            onChange={setData}
          />
        </>
      )}
      <JsonField
        name="context"
        label={t.workflows.eventData}
        hint={t.workflows.eventDataHint}
        value={context}
        onChange={setContext}
      />
      <Happenings happenings={happenings} onChange={setHappenings} />
      <SubmitButton className="w-full">{t.workflows.tryIt}</SubmitButton>
    </Form>
  )
}

interface HappeningsProps {
  happenings: Happening[]
  onChange: (happenings: Happening[]) => void
}

/** What the contact does meanwhile. */
function Happenings({ happenings, onChange }: HappeningsProps) {
  const replace = (key: number, part: Partial<Happening>): void =>
    onChange(happenings.map(each => (each.key === key ? { ...each, ...part } : each)))
  return (
    <fieldset className="space-y-2">
      <legend className="font-medium">{t.workflows.meanwhile}</legend>
      {happenings.map(({ key, name, amount, unit }) => (
        <div key={key} className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] gap-1.5">
          <input
            aria-label={t.workflows.eventName}
            placeholder={t.workflows.eventName}
            className={`${inputClass} col-span-2`}
            value={name}
            maxLength={255}
            onChange={event => replace(key, { name: event.target.value })}
          />
          <IconButton
            label={t.workflows.removeEvent(name)}
            onClick={() => onChange(happenings.filter(each => each.key !== key))}
          >
            <X aria-hidden />
          </IconButton>
          <input
            aria-label={t.workflows.happensAfter}
            type="number"
            min={0}
            className={inputClass}
            value={amount}
            onChange={event => replace(key, { amount: Number(event.target.value) })}
          />
          <Select
            label={t.workflows.unit}
            className="col-span-2"
            value={unit}
            options={units.map(each => [each, t.workflows.unitsLater[each]])}
            onChange={next => replace(key, { unit: next as Unit })}
          />
        </div>
      ))}
      <Button
        variant="quiet"
        disabled={happenings.length >= 100}
        onClick={() => onChange([...happenings, { key: lastKey++, name: '', amount: 1, unit: 'days' }])}
      >
        <Plus aria-hidden /> {t.workflows.addEvent}
      </Button>
    </fieldset>
  )
}
