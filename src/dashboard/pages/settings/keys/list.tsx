// Keys besides the pair: what each may do, when it was used, until when it is valid, and the button that revokes it.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { answer, api } from '../../../api/client'
import { t } from '../../../texts'
import { Badge } from '../../../ui/badge'
import { formatDate, formatDateTime, formatRelative } from '../../../ui/format'
import { Loaded } from '../../../ui/loading'
import { Card, Empty } from '../../../ui/page'
import { toast } from '../../../ui/toast'
import { TakeOut } from '../take-out'
import { type ApiKey, apiKeysQuery, hasExpired } from './data'
import { MakeKey } from './make'

export function NamedKeys({ projectId }: { projectId: string }) {
  const query = useQuery(apiKeysQuery(projectId))
  const { title, hint, empty, emptyHint } = t.keys
  return (
    <Card
      title={title}
      description={hint}
      actions={query.data && query.data.length > 0 && <MakeKey projectId={projectId} />}
    >
      <Loaded query={query}>
        {list =>
          list.length === 0 ? (
            <Empty icon={<KeyRound aria-hidden />} title={empty} action={<MakeKey projectId={projectId} />}>
              {emptyHint}
            </Empty>
          ) : (
            <ul className="-my-3 divide-y divide-line">
              {list.map(apiKey => (
                <Row key={apiKey.id} apiKey={apiKey} projectId={projectId} />
              ))}
            </ul>
          )
        }
      </Loaded>
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
  const queries = useQueryClient()
  const revoke = async (): Promise<void> => {
    const params = { path: { id: projectId, keyId: id } }
    await answer(api.DELETE('/projects/{id}/api-keys/{keyId}', { params }))
    await queries.invalidateQueries({ queryKey: apiKeysQuery(projectId).queryKey })
    toast(t.keys.revoked(name))
  }
  return <TakeOut words={t.keys.revoking(name)} onConfirm={revoke} />
}
