// Who changed what in the project, newest first.

import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { ScrollText } from 'lucide-react'
import type { Schemas } from '../../api/client'
import { cursorQuery, read } from '../../api/queries'
import { useProject } from '../../app/session'
import { t } from '../../texts'
import { type Column, DataTable, timeColumn } from '../../ui/data-table'
import { FilterSelect } from '../../ui/filter-select'
import { useFilterFields } from '../../ui/list-page'
import { Empty, Page } from '../../ui/page'
import { aboutOf } from './audit-details'

type Entry = Schemas['AuditEntry']

const route = getRouteApi('/inside/settings/audit-log')

const auditQuery = (id: string, action: string | undefined) =>
  cursorQuery(['audit', action], (cursor, signal) => {
    const query = { limit: 100, cursor, action: actions.find(each => each === action) }
    return read('/projects/{id}/audit-log', { path: { id }, query }, signal)
  })

const actions = Object.keys(t.settings.audit.actions) as Array<Entry['action']>

export function AuditLog() {
  const filters = route.useSearch()
  const field = useFilterFields(filters)
  const query = useInfiniteQuery(auditQuery(useProject().id, filters.action))
  return (
    <Page title={t.settings.tabs.audit}>
      <FilterSelect
        className="md:w-64"
        label={t.settings.audit.any}
        options={actions.map(each => [each, t.settings.audit.actions[each]])}
        {...field('action')}
      />
      <DataTable
        label={t.settings.tabs.audit}
        query={query}
        columns={columns()}
        rowKey={entry => entry.id}
        empty={<Empty icon={<ScrollText aria-hidden />} title={t.settings.audit.empty} />}
      />
    </Page>
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
    timeColumn(t.words.when, entry => entry.createdAt, {}),
  ]
}

function actorOf({ actor, actorEmail }: Entry): string {
  const { program, operator, recipient, key } = t.settings.audit
  const others: Record<string, string> = { system: program, operator, recipient }
  return actorEmail ?? others[actor] ?? key(actor)
}
