// What the navigation links to, in the order of a day's work. A new page adds its line here.
import { useQuery } from '@tanstack/react-query'
import type { LinkProps } from '@tanstack/react-router'
import {
  Activity,
  BookOpen,
  ChartLine,
  ClipboardList,
  Globe,
  Inbox,
  LayoutDashboard,
  LayoutTemplate,
  type LucideIcon,
  Mails,
  MailX,
  Megaphone,
  PanelsTopLeft,
  Server,
  Settings,
  Tags,
  Users,
  UsersRound,
  Workflow,
  Zap,
} from 'lucide-react'
import { t } from '../texts'
import { configQuery, useSession } from './session'

export interface NavigationItem {
  to: NonNullable<LinkProps['to']>
  label: string
  icon: LucideIcon
  /** Only while mail is kept on the machine instead of sent. */
  outboxOnly?: boolean
  /** For whoever runs the instance. */
  operatorOnly?: boolean
}

/** Groups are separated by a little space. Read when drawn, because texts depend on the language. */
const groups = (): NavigationItem[][] => [
  [
    { to: '/', label: t.navigation.overview, icon: LayoutDashboard },
    { to: '/outbox', label: t.outbox.title, icon: Inbox, outboxOnly: true },
    { to: '/messages', label: t.messages.title, icon: Mails },
    { to: '/activity', label: t.activity.title, icon: Activity },
    { to: '/analytics', label: t.analytics.title, icon: ChartLine },
  ],
  [
    { to: '/contacts', label: t.contacts.title, icon: Users },
    { to: '/segments', label: t.segments.title, icon: UsersRound },
    { to: '/topics', label: t.topics.title, icon: Tags },
    { to: '/forms', label: t.forms.title, icon: ClipboardList },
    { to: '/events', label: t.events.title, icon: Zap },
    { to: '/suppressions', label: t.suppressions.title, icon: MailX },
  ],
  [
    { to: '/campaigns', label: t.campaigns.title, icon: Megaphone },
    { to: '/templates', label: t.templates.title, icon: LayoutTemplate },
    { to: '/layouts', label: t.layouts.title, icon: PanelsTopLeft },
    { to: '/workflows', label: t.workflows.title, icon: Workflow },
  ],
  [
    { to: '/domains', label: t.domains.title, icon: Globe },
    { to: '/docs', label: t.navigation.apiReference, icon: BookOpen },
    { to: '/settings', label: t.settings.title, icon: Settings },
    { to: '/instance', label: t.instance.title, icon: Server, operatorOnly: true },
  ],
]

/** The entries that this instance has. */
export function useNavigation(): NavigationItem[][] {
  const { data } = useQuery(configQuery)
  const keepsMail = data?.features.email.outbox === true
  const { operator } = useSession().user
  return groups().map(group =>
    group.filter(item => (keepsMail || !item.outboxOnly) && (operator || !item.operatorOnly)),
  )
}
