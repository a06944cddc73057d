// Who changed what in the project, newest first.
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { ScrollText } from 'lucide-react'
import { answer, api, type Schemas } from '../../api/client'
import { useProject } from '../../app/session'
import { t } from '../../texts'
import { type Column, DataTable } from '../../ui/data-table'
import { FilterSelect } from '../../ui/filter-select'
import { Empty } from '../../ui/page'
import { Time } from '../../ui/time'
import { aboutOf } from './audit-details'
import { SettingsPage } from './frame'

type Entry = Schemas['AuditEntry']

const route = getRouteApi('/inside/settings/audit-log')

const auditQuery = (id: string, action: string | undefined) =>
  infiniteQueryOptions({
    queryKey: ['audit', action],
    queryFn: ({ pageParam, signal }) => {
      const known = actions.find(each => each === action)
      const query = { limit: 100, cursor: pageParam, action: known }
      return answer(api.GET('/projects/{id}/audit-log', { params: { path: { id }, query }, signal }))
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => page.cursor ?? undefined,
  })

const actions = Object.keys(t.settings.audit.actions) as Array<Entry['action']>

export function AuditLog() {
  const { action } = route.useSearch()
  const navigate = useNavigate()
  const query = useInfiniteQuery(auditQuery(useProject().id, action))
  return (
    <SettingsPage name={t.settings.tabs.audit} wide>
      <FilterSelect
        className="md:w-64"
        label={t.settings.audit.any}
        value={action}
        options={actions.map(each => [each, t.settings.audit.actions[each]])}
        onChange={value =>
          void navigate({ to: '/settings/audit-log', search: { action: value || undefined }, replace: true })
        }
      />
      <DataTable
        label={t.settings.tabs.audit}
        query={query}
        columns={columns()}
        rowKey={entry => entry.id}
        empty={<Empty icon={<ScrollText aria-hidden />} title={t.settings.audit.empty} />}
      />
    </SettingsPage>
  )
}

function columns(): Column<Entry>[] {
  return [
    {
      id: 'action',
      header: t.words.what,
      cell: entry => (
        <span className="block truncate">
          {t.settings.audit.actions[entry.action] ?? entry.action}
          {aboutOf(entry) && <span className="text-quiet"> · {aboutOf(entry)}</span>}
        </span>
      ),
      grows: true,
    },
    {
      id: 'actor',
      header: t.words.who,
      cell: entry => <span className="block max-w-56 truncate text-quiet">{actorOf(entry)}</span>,
      beneath: 'action',
    },
    {
      id: 'at',
      header: t.words.when,
      cell: entry => <Time at={entry.createdAt} quiet />,
      align: 'right',
    },
  ]
}

function actorOf({ actor, actorEmail }: Entry): string {
  const { program, operator, recipient, key } = t.settings.audit
  const others: Record<string, string> = { system: program, operator, recipient }
  return actorEmail ?? others[actor] ?? key(actor)
}
