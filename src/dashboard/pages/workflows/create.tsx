// A new workflow: empty, or a copy of an example.
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { answer, api } from '../../api/client'
import { refresh } from '../../app/session'
import type { Step } from '../../editor/flow/graph'
import { t } from '../../texts'
import { Button } from '../../ui/button'
import { classes } from '../../ui/classes'
import { Dialog } from '../../ui/dialog'
import { TextField } from '../../ui/field'
import { Form, type Values } from '../../ui/form'
import { DialogButtons } from '../../ui/form-dialog'
import { graphOf, putGraph } from './data'
import { type ExampleName, exampleNames, exampleOf, planned } from './examples'
import { EventField } from './panel/fields'

export function CreateWorkflow() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="strong" onClick={() => setOpen(true)}>
        {t.workflows.create}
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title={t.workflows.create} wide>
        <CreateForm onClose={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

function CreateForm({ onClose }: { onClose: () => void }) {
  const [example, setExample] = useState<ExampleName>()
  const navigate = useNavigate()
  const create = async ({ name = '', eventName = '' }: Values): Promise<void> => {
    const id = await make(name, eventName, example)
    void refresh('workflows')
    await navigate({ to: '/workflows/$id', params: { id } })
  }
  const chosen = example && exampleOf(example)
  return (
    <Form onSubmit={create}>
      <Examples chosen={example} onChoose={setExample} />
      <div key={example} className="grid gap-4 md:grid-cols-2">
        <TextField
          name="name"
          label={t.words.name}
          defaultValue={example && t.workflows.examples.names[example]}
          required
          maxLength={100}
          autoComplete="off"
        />
        <EventField
          name="eventName"
          label={t.workflows.startEvent}
          hint={t.workflows.startEventHint}
          defaultValue={chosen?.eventName}
          required
        />
      </div>
      <DialogButtons onCancel={onClose}>{t.words.create}</DialogButtons>
    </Form>
  )
}

async function make(name: string, eventName: string, example?: ExampleName): Promise<string> {
  const chosen = example && exampleOf(example)
  const body = { name, eventName, allowReentry: chosen?.allowReentry }
  const { id } = await answer(api.POST('/workflows', { body }))
  if (!chosen) return id
  const { steps } = graphOf(await answer(api.GET('/workflows/{id}', { params: { path: { id } } })))
  await putGraph(id, planned(steps[0] as Step, chosen.plan))
  return id
}

interface ExamplesProps {
  chosen?: ExampleName
  onChoose: (name: ExampleName | undefined) => void
}

function Examples({ chosen, onChoose }: ExamplesProps) {
  const { examples } = t.workflows
  return (
    <fieldset className="grid gap-2 sm:grid-cols-2 lg:grid-cols-3">
      <legend className="mb-1.5 font-medium">{t.workflows.beginWith}</legend>
      <Example
        title={examples.blank}
        hint={examples.blankHint}
        isOn={!chosen}
        onClick={() => onChoose(undefined)}
      />
      {exampleNames.map(name => (
        <Example
          key={name}
          title={examples.names[name]}
          hint={examples.hints[name]}
          isOn={chosen === name}
          onClick={() => onChoose(name)}
        />
      ))}
    </fieldset>
  )
}

interface ExampleProps {
  title: string
  hint: string
  isOn: boolean
  onClick: () => void
}

function Example({ title, hint, isOn, onClick }: ExampleProps) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={onClick}
      className={classes(
        'rounded-lg border p-3 text-left hover:bg-hover',
        isOn ? 'border-accent bg-accent-soft' : 'border-line',
      )}
    >
      <span className="block font-medium">{title}</span>
      <span className="block text-quiet">{hint}</span>
    </button>
  )
}
