// Makes a key with a name and scopes, and shows it only this once.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { answer, api } from '../../../api/client'
import { domainsQuery } from '../../../api/domains'
import { t } from '../../../texts'
import { Button } from '../../../ui/button'
import { Dialog } from '../../../ui/dialog'
import { SelectField, TextField } from '../../../ui/field'
import { Form, useFault, type Values } from '../../../ui/form'
import { DialogButtons } from '../../../ui/form-dialog'
import { ToldOnce } from '../told-once'
import { apiKeysQuery, type KeyScope, mayBeBound, scopes } from './data'

const lives = ['never', '30', '90', '365'] as const

export function MakeKey({ projectId }: { projectId: string }) {
  const [open, setOpen] = useState(false)
  const [key, setKey] = useState<string>()
  const queries = useQueryClient()
  const close = async (): Promise<void> => {
    setKey(undefined)
    await queries.invalidateQueries({ queryKey: apiKeysQuery(projectId).queryKey })
  }
  const made = (told: string): void => {
    setOpen(false)
    setKey(told)
  }
  return (
    <>
      <Button look="strong" onClick={() => setOpen(true)}>
        {t.keys.make}
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title={t.keys.make} description={t.keys.makeHint}>
        <KeyForm projectId={projectId} onMade={made} onClose={() => setOpen(false)} />
      </Dialog>
      <ToldOnce secret={key} words={t.keys.told} onClose={close} />
    </>
  )
}

interface KeyFormProps {
  projectId: string
  onMade: (key: string) => void
  onClose: () => void
}

function KeyForm({ projectId, onMade, onClose }: KeyFormProps) {
  const [chosen, setChosen] = useState<readonly KeyScope[]>(['send'])
  const [domains, setDomains] = useState<readonly string[]>([])
  const make = async ({ name = '', life = 'never' }: Values): Promise<void> => {
    const bound = mayBeBound(chosen) && domains.length > 0 ? [...domains] : null
    const body = { name, scopes: [...chosen], domains: bound, expiresAt: endOf(life) }
    const params = { path: { id: projectId } }
    onMade((await answer(api.POST('/projects/{id}/api-keys', { params, body }))).key)
  }
  return (
    <Form onSubmit={make}>
      <TextField
        name="name"
        label={t.words.name}
        hint={t.keys.nameHint}
        maxLength={100}
        autoComplete="off"
        required
      />
      <Choice
        name="scopes"
        legend={t.keys.scopes}
        all={scopes}
        chosen={chosen}
        onChange={setChosen}
        label={scope => t.keys.scopeNames[scope]}
        hint={scope => t.keys.scopeHints[scope]}
      />
      {mayBeBound(chosen) && <Domains projectId={projectId} chosen={domains} onChange={setDomains} />}
      <SelectField name="life" label={t.keys.life} defaultValue="never">
        {lives.map(each => (
          <option key={each} value={each}>
            {t.keys.lives[each]}
          </option>
        ))}
      </SelectField>
      <DialogButtons onCancel={onClose}>{t.keys.make}</DialogButtons>
    </Form>
  )
}

function endOf(life: string): string | null {
  const days = Number(life)
  return Number.isNaN(days) ? null : new Date(Date.now() + days * 86_400_000).toISOString()
}

interface DomainsProps {
  projectId: string
  chosen: readonly string[]
  onChange: (domains: string[]) => void
}

function Domains({ projectId, chosen, onChange }: DomainsProps) {
  const { data = [] } = useQuery(domainsQuery(projectId))
  if (data.length === 0) return null
  return (
    <Choice
      name="domains"
      legend={t.keys.domains}
      all={data.map(({ domain }) => domain)}
      chosen={chosen}
      onChange={onChange}
      label={domain => domain}
    />
  )
}

interface ChoiceProps<T extends string> {
  name: string
  legend: string
  all: readonly T[]
  chosen: readonly T[]
  onChange: (chosen: T[]) => void
  label: (one: T) => string
  hint?: (one: T) => string
}

function Choice<T extends string>({ name, legend, all, chosen, onChange, label, hint }: ChoiceProps<T>) {
  const fault = useFault(name)
  const toggle = (one: T): void =>
    onChange(all.filter(each => (each === one ? !chosen.includes(one) : chosen.includes(each))))
  return (
    <fieldset>
      <legend className="pb-1 font-medium">{legend}</legend>
      {all.map(one => (
        <label
          key={one}
          className="flex min-h-9 items-start gap-2.5 py-1 max-md:min-h-11 max-md:items-center"
        >
          <input
            type="checkbox"
            name={name}
            className="mt-0.5 size-4 shrink-0 accent-accent"
            checked={chosen.includes(one)}
            onChange={() => toggle(one)}
          />
          <span className="min-w-0">
            <span className="block truncate">{label(one)}</span>
            {hint && <span className="block text-xs text-quiet">{hint(one)}</span>}
          </span>
        </label>
      ))}
      {fault && <p className="text-bad">{fault}</p>}
    </fieldset>
  )
}
