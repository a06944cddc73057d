// What the pages of a project's settings have in common: the title and the tabs between them.
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { configQuery, isAdmin, useProject } from '../../app/session'
import { t } from '../../texts'
import { Page } from '../../ui/page'
import { TabBar, TabLink } from '../../ui/tabs'

/** `name` is shown in the browser's tab. */
export function SettingsPage({ name, children }: { name: string; children: ReactNode }) {
  const project = useProject()
  const { data: config } = useQuery(configQuery)
  const { tabs } = t.settings
  return (
    <Page title={t.settings.title} name={`${name} · ${t.settings.title}`} description={project.name}>
      <TabBar label={t.settings.title}>
        <TabLink to="/settings" activeOptions={{ exact: true }}>
          {tabs.general}
        </TabLink>
        <TabLink to="/settings/members">{tabs.members}</TabLink>
        <TabLink to="/settings/keys">{tabs.keys}</TabLink>
        <TabLink to="/settings/webhooks">{t.webhooks.title}</TabLink>
        {config?.features.billing.enabled && <TabLink to="/settings/billing">{tabs.billing}</TabLink>}
        {isAdmin(project) && <TabLink to="/settings/audit-log">{tabs.audit}</TabLink>}
      </TabBar>
      <div className="max-w-3xl space-y-6">{children}</div>
    </Page>
  )
}

/** For members who may look but not change anything. */
export function AdminsOnly() {
  return isAdmin(useProject()) ? null : <p className="text-quiet">{t.settings.adminsOnly}</p>
}
