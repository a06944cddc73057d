// What the navigation links to: seven sections in the order of a day's work, each with its pages as tabs, and the instance for its operator.
// A new page adds its line here.
import { useQuery } from '@tanstack/react-query'
import { type LinkProps, useRouterState } from '@tanstack/react-router'
import {
  Activity,
  House,
  LayoutTemplate,
  type LucideIcon,
  Megaphone,
  Server,
  Settings,
  Users,
  Workflow,
} from 'lucide-react'
import { t } from '../texts'
import { configQuery, isAdmin, useProject, useSession } from './session'

type Path = NonNullable<LinkProps['to']>

interface Tab {
  to: Path
  label: string
  /** The heading above this tab and those that follow it. */
  group?: string
}

export interface NavigationSection extends Tab {
  icon: LucideIcon
  /** None if the section is one page. */
  tabs: Tab[]
  /** Tabs stand beside the page, because there are many. */
  isBeside?: boolean
}

export interface Navigation {
  sections: NavigationSection[]
  /** At the foot. */
  instance?: NavigationSection
}

/** What this instance has, and this member may see. */
export function useNavigation(): Navigation {
  const { data } = useQuery(configQuery)
  const { operator } = useSession().user
  const mayAdminister = isAdmin(useProject())
  const { navigation, settings } = t
  const when = (condition: boolean | undefined, tab: Tab): Tab[] => (condition ? [tab] : [])
  const instance: NavigationSection = { to: '/instance', label: t.instance.title, icon: Server, tabs: [] }
  /** Begins with its first tab. */
  const section = (icon: LucideIcon, tabs: [Tab, ...Tab[]], label = tabs[0].label): NavigationSection => ({
    to: tabs[0].to,
    label,
    icon,
    tabs,
  })
  return {
    ...(operator && { instance }),
    sections: [
      { to: '/', label: navigation.home, icon: House, tabs: [] },
      { to: '/campaigns', label: t.campaigns.title, icon: Megaphone, tabs: [] },
      { to: '/workflows', label: t.workflows.title, icon: Workflow, tabs: [] },
      section(LayoutTemplate, [
        { to: '/templates', label: t.templates.title },
        { to: '/layouts', label: t.layouts.title },
      ]),
      section(Users, [
        { to: '/contacts', label: t.contacts.title },
        { to: '/segments', label: t.segments.title },
        { to: '/topics', label: t.topics.title },
        { to: '/forms', label: t.forms.title },
        { to: '/suppressions', label: t.suppressions.title },
      ]),
      section(
        Activity,
        [
          { to: '/activity', label: t.activity.all },
          { to: '/messages', label: t.messages.title },
          ...when(data?.features.email.outbox, { to: '/outbox', label: t.outbox.title }),
          { to: '/events', label: t.events.title },
          { to: '/deliveries', label: t.webhooks.deliveries },
          { to: '/analytics', label: t.analytics.title },
        ],
        t.activity.title,
      ),
      {
        isBeside: true,
        ...section(
          Settings,
          [
            { to: '/settings', label: settings.tabs.general, group: navigation.groups.project },
            { to: '/settings/brand', label: t.brand.title },
            { to: '/domains', label: t.domains.title },
            ...when(data?.features.billing.enabled, {
              to: '/settings/billing',
              label: settings.tabs.billing,
            }),
            { to: '/settings/members', label: settings.tabs.members, group: navigation.groups.team },
            ...when(mayAdminister, { to: '/settings/audit-log', label: settings.tabs.audit }),
            { to: '/quickstart', label: t.reference.quickstart, group: navigation.groups.developers },
            { to: '/settings/keys', label: settings.tabs.keys },
            { to: '/settings/webhooks', label: t.webhooks.title },
            { to: '/docs', label: navigation.apiReference },
          ],
          settings.title,
        ),
      },
    ],
  }
}

/** With the one at the foot. */
export const allSections = ({ sections, instance }: Navigation): NavigationSection[] =>
  instance ? [...sections, instance] : sections

interface Place {
  section?: NavigationSection
  /** Only on the page of the tab itself, not on pages below it. */
  tab?: Tab
}

/** Where the page that is drawn belongs. */
export function usePlace(navigation: Navigation): Place {
  const path = useRouterState({ select: ({ matches }) => matches.at(-1)?.fullPath ?? '' })
  const isAt = ({ to }: Tab): boolean => path === to || (to !== '/' && path.startsWith(`${to}/`))
  const section = allSections(navigation).find(each => isAt(each) || each.tabs.some(isAt))
  return { section, tab: section?.tabs.find(({ to }) => to === path) }
}
