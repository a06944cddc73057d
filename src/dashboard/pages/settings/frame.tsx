// What the pages of a project's settings have in common: the title and the tabs between them.
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { configQuery, isAdmin, useProject } from '../../app/session'
import { t } from '../../texts'
import { classes } from '../../ui/classes'
import { Page } from '../../ui/page'
import { TabBar, TabLink } from '../../ui/tabs'

interface SettingsPageProps {
  /** Shown in the browser's tab. */
  name: string
  /** A table takes the width that there is; forms are read more easily in less. */
  wide?: boolean
  children: ReactNode
}

export function SettingsPage({ name, wide, children }: SettingsPageProps) {
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
      <div className={classes('space-y-6', !wide && 'max-w-3xl')}>{children}</div>
    </Page>
  )
}

/** For members who may look but not change anything. */
export function AdminsOnly() {
  return isAdmin(useProject()) ? null : <p className="text-quiet">{t.settings.adminsOnly}</p>
}
