// The frame of the pages of one workflow: its name, whether it is on, and its tabs.
import type { ReactNode } from 'react'
import { t } from '../../texts'
import { BackLink } from '../../ui/back-link'
import { BarPage } from '../../ui/page'
import { TabBar, TabLink } from '../../ui/tabs'
import type { Whole } from './data'
import { StateBadge } from './list'

interface FrameProps {
  workflow: Pick<Whole, 'id' | 'name' | 'enabled'>
  actions?: ReactNode
  saved?: ReactNode
  history?: ReactNode
  children: ReactNode
}

export function Frame({ workflow: { id, name, enabled }, children, ...head }: FrameProps) {
  return (
    <BarPage
      title={name}
      state={<StateBadge enabled={enabled} />}
      above={<BackLink to="/workflows">{t.workflows.title}</BackLink>}
      {...head}
    >
      <TabBar label={name}>
        <TabLink to="/workflows/$id" params={{ id }} activeOptions={{ exact: true, includeSearch: false }}>
          {t.workflows.tabs.design}
        </TabLink>
        <TabLink to="/workflows/$id/executions" params={{ id }} activeOptions={{ includeSearch: false }}>
          {t.workflows.tabs.executions}
        </TabLink>
        <TabLink to="/workflows/$id/simulation" params={{ id }} activeOptions={{ includeSearch: false }}>
          {t.workflows.tabs.simulation}
        </TabLink>
      </TabBar>
      <div className="space-y-4 pb-6">{children}</div>
    </BarPage>
  )
}
