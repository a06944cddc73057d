// Keys besides the pair: what each may do, when it was used, until when it is valid, the button that revokes it, and making one, which is
// shown only once.
import { useQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { answer, api } from '../../../api/client'
import { domainsQuery } from '../../../api/domains'
import { refresh } from '../../../app/session'
import { t } from '../../../texts'
import { Badge } from '../../../ui/badge'
import { Button } from '../../../ui/button'
import { Dialog } from '../../../ui/dialog'
import { CheckRow, SelectField, TextField } from '../../../ui/field'
import { Form, useFault, type Values } from '../../../ui/form'
import { DialogButtons } from '../../../ui/form-dialog'
import { formatDate, formatDateTime, formatRelative } from '../../../ui/format'
import { NoRows } from '../../../ui/list-page'
import { Card } from '../../../ui/page'
import { RowList } from '../../../ui/row-list'
import { SecretDialog } from '../../../ui/secret-dialog'
import { toast } from '../../../ui/toast'
import { RemoveButton } from '../frame'
import { type ApiKey, apiKeysQuery, hasExpired, type KeyScope, mayBeBound, scopes } from './data'

export function NamedKeys({ projectId }: { projectId: string }) {
  const query = useQuery(apiKeysQuery(projectId))
  return (
    <Card title={t.keys.title} description={t.keys.hint} actions={<MakeKey projectId={projectId} />}>
      <RowList query={query} empty={<NoRows words={t.keys} icon={KeyRound} />}>
        {apiKey => <Row key={apiKey.id} apiKey={apiKey} projectId={projectId} />}
      </RowList>
    </Card>
  )
}

function Row({ apiKey, projectId }: { apiKey: ApiKey; projectId: string }) {
  const { start, kind, scopes, domains } = apiKey
  const name = kind === 'NAMED' ? apiKey.name : t.keys.former[kind]
  return (
    <li className="flex min-h-14 flex-wrap items-center gap-x-4 gap-y-1.5 py-2.5">
      <div className="min-w-0 flex-1 basis-60">
        <p className="truncate font-medium">{name}</p>
        <p className="text-xs text-quiet">
          <code className="font-mono">{start}…</code> · {usedWords(apiKey)} · {endWords(apiKey)}
        </p>
        {domains && <p className="text-xs text-quiet wrap-anywhere">{t.keys.from(domains.join(', '))}</p>}
      </div>
      <span className="flex flex-wrap gap-1.5 max-md:flex-1">
        {hasExpired(apiKey) && <Badge tone="bad">{t.keys.expired}</Badge>}
        {scopes.map(scope => (
          <Badge key={scope}>{t.keys.scopeNames[scope]}</Badge>
        ))}
      </span>
      <Revoke apiKey={apiKey} name={name} projectId={projectId} />
    </li>
  )
}

function usedWords({ lastUsedAt }: ApiKey): string {
  return lastUsedAt ? t.keys.used(formatRelative(lastUsedAt)) : t.keys.unused
}

/** For a replaced pair the hour matters. */
function endWords({ expiresAt, kind }: ApiKey): string {
  if (!expiresAt) return t.keys.noEnd
  return t.keys.until(kind === 'NAMED' ? formatDate(expiresAt) : formatDateTime(expiresAt))
}

function Revoke({ apiKey: { id }, name, projectId }: { apiKey: ApiKey; name: string; projectId: string }) {
  const revoke = async (): Promise<void> => {
    const params = { path: { id: projectId, keyId: id } }
    await answer(api.DELETE('/projects/{id}/api-keys/{keyId}', { params }))
    await refresh('settings', 'api-keys')
    toast(t.keys.revoked(name))
  }
  return <RemoveButton words={t.keys.revoking(name)} onConfirm={revoke} />
}

const lives = ['never', '30', '90', '365'] as const

/** Makes a key with a name and scopes, and shows it only this once. */
export function MakeKey({ projectId }: { projectId: string }) {
  const [open, setOpen] = useState(false)
  const [key, setKey] = useState<string>()
  const close = async (): Promise<void> => {
    setKey(undefined)
    await refresh('settings', 'api-keys')
  }
  const made = (secret: string): void => {
    setOpen(false)
    setKey(secret)
  }
  return (
    <>
      <Button variant="strong" onClick={() => setOpen(true)}>
        {t.keys.make}
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title={t.keys.make} description={t.keys.makeHint}>
        <KeyForm projectId={projectId} onMade={made} onClose={() => setOpen(false)} />
      </Dialog>
      <SecretDialog secret={key} words={t.keys.secretWords} onClose={close} />
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
      <SelectField
        name="life"
        label={t.keys.life}
        defaultValue="never"
        options={lives.map(each => [each, t.keys.lives[each]])}
      />
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
        <CheckRow
          key={one}
          name={name}
          label={label(one)}
          hint={hint?.(one)}
          checked={chosen.includes(one)}
          onChange={() => toggle(one)}
        />
      ))}
      {fault && <p className="text-bad">{fault}</p>}
    </fieldset>
  )
}
