// All pages: the address, the file that is loaded for it, its component, and what its query may say. Each is in one of two frames:
// `outside` for visitors who are not signed in, `inside` for a project.
import { type AnyRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { askAhead } from '../pages/home/data'
import { inside, leadViewersUp, outside, root } from './frames'
import { basePath } from './page-address'
import { redrawWithLanguage } from './redrawn'

const pageIn =
  <Frame extends AnyRoute>(frame: Frame, beforeLoad?: (path: string) => Promise<void>) =>
  <Path extends string, Module extends object, Name extends keyof Module & string, Query extends string>(
    path: Path,
    load: () => Promise<Module>,
    component: Name,
    query: Query[] = [],
  ) =>
    createRoute({
      getParentRoute: () => frame,
      path,
      validateSearch: searchOf(...query),
      ...(beforeLoad && { beforeLoad: () => beforeLoad(path) }),
      component: lazyRouteComponent(load, component),
    })

const open = pageIn(outside)
const page = pageIn(inside)
/** A page that only creates or changes something. */
const writersPage = pageIn(inside, leadViewersUp)

const home = createRoute({
  getParentRoute: () => inside,
  path: '/',
  loader: askAhead,
  component: lazyRouteComponent(() => import('../pages/home/home'), 'Home'),
})

const messageFilters = ['to', 'subject', 'template', 'campaign', 'workflow', 'days', 'trouble'] as const
const executions = '/workflows/$id/executions'

const tree = root.addChildren([
  outside.addChildren([
    open('/sign-in', () => import('../pages/account/sign-in'), 'SignIn', ['next']),
    open('/sign-up', () => import('../pages/account/sign-up'), 'SignUp'),
    open('/forgotten', () => import('../pages/account/sign-in'), 'Forgotten'),
    open('/welcome', () => import('../pages/account/sign-up'), 'Welcome'),
  ]),
  inside.addChildren([
    home,
    page('/campaigns', () => import('../pages/campaigns/list'), 'Campaigns', ['search', 'status']),
    writersPage('/campaigns/new', () => import('../pages/campaigns/begin'), 'BeginCampaign'),
    page('/campaigns/compare', () => import('../pages/campaigns/compare'), 'CompareCampaigns', [
      'one',
      'other',
    ]),
    page('/campaigns/$id', () => import('../pages/campaigns/campaign'), 'Campaign', [
      'part',
      'reaction',
      'link',
      'variant',
    ]),
    page('/templates', () => import('../pages/templates/list'), 'Templates', ['search', 'type']),
    writersPage('/templates/new', () => import('../pages/templates/begin'), 'BeginTemplate'),
    page('/templates/$id', () => import('../pages/templates/template'), 'Template', ['workflow', 'step']),
    page('/layouts', () => import('../pages/layouts/list'), 'Layouts'),
    page('/layouts/$id', () => import('../pages/layouts/layout'), 'Layout'),
    page('/outbox', () => import('../pages/outbox/outbox'), 'Outbox', ['mail']),
    page('/messages', () => import('../pages/messages/list'), 'Messages', [...messageFilters]),
    page('/messages/$id', () => import('../pages/messages/message'), 'Message'),
    page('/contacts', () => import('../pages/contacts/list'), 'Contacts', [
      'search',
      'status',
      'sort',
      'filter',
    ]),
    writersPage('/contacts/import', () => import('../pages/contacts/import'), 'ImportContacts'),
    page('/contacts/$id', () => import('../pages/contacts/contact'), 'ContactPage'),
    page('/suppressions', () => import('../pages/suppressions/list'), 'Suppressions', ['search', 'reason']),
    page('/analytics', () => import('../pages/analytics/analytics'), 'Analytics', ['days', 'metric', 'show']),
    page('/activity', () => import('../pages/activity/feed'), 'Activity', ['types', 'days']),
    page('/events', () => import('../pages/events/list'), 'Events', ['search']),
    page('/events/$name', () => import('../pages/events/event'), 'EventPage'),
    page('/segments', () => import('../pages/segments/list'), 'Segments'),
    writersPage('/segments/new', () => import('../pages/segments/editor'), 'NewSegment', ['type', 'filter']),
    page('/segments/$id', () => import('../pages/segments/segment'), 'SegmentPage'),
    writersPage('/segments/$id/edit', () => import('../pages/segments/editor'), 'EditSegment'),
    page('/topics', () => import('../pages/topics/list'), 'Topics'),
    page('/forms', () => import('../pages/forms/list'), 'Forms'),
    page('/forms/$id', () => import('../pages/forms/form'), 'FormPage'),
    page('/workflows', () => import('../pages/workflows/list'), 'Workflows', ['search', 'status']),
    page('/workflows/$id', () => import('../pages/workflows/design'), 'Design', ['step']),
    page(executions, () => import('../pages/workflows/executions'), 'Executions', ['status', 'step']),
    page(`${executions}/$executionId`, () => import('../pages/workflows/execution'), 'ExecutionPage', [
      'step',
    ]),
    page('/workflows/$id/simulation', () => import('../pages/workflows/simulation'), 'Simulation', ['step']),
    page('/domains', () => import('../pages/domains/list'), 'Domains'),
    page('/domains/$id', () => import('../pages/domains/domain'), 'Domain'),
    page('/settings', () => import('../pages/settings/general'), 'General'),
    page('/settings/brand', () => import('../pages/settings/brand'), 'BrandPage'),
    page('/settings/members', () => import('../pages/settings/members'), 'Members'),
    page('/settings/keys', () => import('../pages/settings/keys/page'), 'Keys'),
    page('/settings/webhooks', () => import('../pages/settings/webhooks/list'), 'Webhooks'),
    page('/settings/webhooks/$id', () => import('../pages/settings/webhooks/endpoint'), 'OneEndpoint', [
      'delivery',
    ]),
    page('/deliveries', () => import('../pages/settings/webhooks/activity'), 'WebhookDeliveries', [
      'endpoint',
    ]),
    page('/settings/billing', () => import('../pages/settings/billing'), 'Billing'),
    page('/settings/audit-log', () => import('../pages/settings/audit-log'), 'AuditLog', ['action']),
    page('/account', () => import('../pages/profile/profile'), 'Profile'),
    page('/quickstart', () => import('../pages/reference/quickstart'), 'Quickstart'),
    page('/docs', () => import('../pages/reference/overview'), 'ApiReference', ['search']),
    page('/docs/$id', () => import('../pages/reference/operation'), 'ApiOperation'),
    page('/instance', () => import('../pages/instance/instance'), 'Instance', ['kind']),
  ]),
])

redrawWithLanguage(tree)

export const router = createRouter({
  routeTree: tree,
  basepath: basePath,
  defaultPreload: 'intent',
  scrollRestoration: true,
  parseSearch: readSearch,
  stringifySearch: writeSearch,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

/** The query of an address: plain texts, none of them empty, so that addresses can be read and typed. */
export type Search = Record<string, string>

export function readSearch(text: string): Search {
  return Object.fromEntries(new URLSearchParams(text))
}

export function writeSearch(search: Record<string, unknown>): string {
  const kept = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(kept.map(([name, value]) => [name, String(value)])).toString()
  return text && `?${text}`
}

/** For `validateSearch`: accepts the named members and nothing else. */
export function searchOf<Name extends string>(...names: Name[]) {
  return (search: Record<string, unknown>): Partial<Record<Name, string>> =>
    Object.fromEntries(
      names.filter(name => typeof search[name] === 'string').map(name => [name, search[name]]),
    ) as Partial<Record<Name, string>>
}
