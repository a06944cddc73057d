// Every page of the dashboard: where it is, and a word that must be seen there once it is loaded. Each is opened, checked and pictured.

export interface PageCase {
  name: string
  /** Below the project's address; below /app for pages outside of a project. */
  path: string
  /** Text that is there when the page is. */
  shows: string
  isOutside?: boolean
  /** The page is reached by a link with this text, since its address holds an id. */
  by?: string
  /** Links on the page that it leads to, one after the other. */
  onTo?: readonly string[]
}

/** Nested, and of several types. */
const builtFilter = JSON.stringify({
  logic: 'AND',
  groups: [
    {
      filters: [
        { field: 'data.plan', operator: 'equals', value: 'team' },
        { field: 'createdAt', operator: 'within', value: 60, unit: 'days' },
      ],
    },
    {
      filters: [],
      conditions: {
        logic: 'OR',
        groups: [
          { filters: [{ field: 'data.seats', operator: 'greaterThan', value: 5 }] },
          { filters: [{ field: 'event.order.placed', operator: 'triggered' }] },
        ],
      },
    },
  ],
})

export const pages: readonly PageCase[] = [
  { name: 'sign-in', path: '/sign-in', shows: 'Sign in to Waxwing', isOutside: true },
  { name: 'sign-up', path: '/sign-up', shows: 'Create an account', isOutside: true },
  { name: 'forgotten', path: '/forgotten', shows: 'Reset your password', isOutside: true },
  { name: 'welcome', path: '/welcome', shows: 'Name your project', isOutside: true },
  { name: 'overview', path: '/', shows: 'Opens per hour' },
  { name: 'messages', path: '/messages', shows: 'All issues' },
  { name: 'messages-trouble', path: '/messages?trouble=any', shows: 'Recipient' },
  { name: 'messages-one', path: '/messages', by: '@mail.example', shows: 'Timeline' },
  { name: 'contacts', path: '/contacts', shows: '@mail.example' },
  { name: 'contacts-import', path: '/contacts/import', shows: 'Import contacts' },
  {
    name: 'contacts-filtered',
    path: `/contacts?filter=${encodeURIComponent(builtFilter)}`,
    shows: 'Contacts where plan is',
  },
  { name: 'contacts-one', path: '/contacts', by: 'Omar', shows: 'Preference page' },
  { name: 'events', path: '/events', shows: 'board.created' },
  { name: 'events-one', path: '/events', by: 'order.placed', shows: 'Last 30 days' },
  { name: 'deliveries', path: '/deliveries', shows: 'order.placed' },
  { name: 'activity', path: '/activity', shows: 'Welcome to Fernway' },
  { name: 'analytics', path: '/analytics', shows: 'October letter' },
  { name: 'suppressions', path: '/suppressions', shows: 'No such user here' },
  { name: 'topics', path: '/topics', shows: 'Opt-in' },
  { name: 'forms', path: '/forms', shows: 'Confirmed' },
  { name: 'forms-one', path: '/forms', by: 'Monthly letter', shows: 'What visitors see' },
  { name: 'segments', path: '/segments', shows: 'Paying teams' },
  {
    name: 'segments-new',
    path: `/segments/new?filter=${encodeURIComponent(builtFilter)}`,
    shows: 'contacts match',
  },
  { name: 'segments-list', path: '/segments', by: 'Beta testers', shows: 'Add to segment' },
  { name: 'segments-one', path: '/segments', by: 'Paying teams', shows: 'Entered' },
  { name: 'workflows', path: '/workflows', shows: 'When order.placed happens' },
  { name: 'workflows-design', path: '/workflows', by: 'After an order', shows: 'Offer help' },
  {
    name: 'workflows-executions',
    path: '/workflows',
    by: 'After an order',
    onTo: ['Runs'],
    shows: '@mail.example',
  },
  {
    name: 'workflows-execution',
    path: '/workflows',
    by: 'After an order',
    onTo: ['Runs', '@mail.example'],
    shows: 'Path of the run',
  },
  {
    name: 'workflows-simulation',
    path: '/workflows',
    by: 'After an order',
    onTo: ['Simulation'],
    shows: 'Nothing is sent or stored, and no webhooks are called.',
  },
  { name: 'domains', path: '/domains', shows: 'mail.fernway-boards.com' },
  {
    name: 'domains-one',
    path: '/domains',
    by: 'mail.fernway-boards.com',
    shows: 'Signature (DKIM)',
  },
  { name: 'domains-key', path: '/domains', by: 'news.fernway-boards.com', shows: 'New key wx2' },
  { name: 'settings', path: '/settings', shows: 'Default sender' },
  { name: 'settings-brand', path: '/settings/brand', shows: 'Postal address' },
  { name: 'settings-members', path: '/settings/members', shows: 'ben@fernway.example' },
  { name: 'settings-keys', path: '/settings/keys', shows: 'Data warehouse' },
  { name: 'settings-webhooks', path: '/settings/webhooks', shows: 'https://shop.fernway.example/hooks' },
  {
    name: 'settings-webhook',
    path: '/settings/webhooks',
    by: 'https://shop.fernway.example/hooks',
    shows: 'order.placed',
  },
  {
    name: 'settings-webhook-delivery',
    path: '/settings/webhooks',
    by: 'https://shop.fernway.example/hooks',
    onTo: ['order.placed'],
    shows: 'Deliveries',
  },
  { name: 'settings-audit', path: '/settings/audit-log', shows: 'mail.fernway-boards.com' },
  { name: 'quickstart', path: '/quickstart', shows: 'Send your first email' },
  { name: 'docs', path: '/docs', shows: '/v1/send/batch' },
  { name: 'docs-operation', path: '/docs', by: '/v1/send', shows: 'attachments[].filename' },
  { name: 'profile', path: '/account', shows: 'Sign out everywhere' },
  { name: 'campaigns', path: '/campaigns', shows: 'November letter' },
  { name: 'campaigns-new', path: '/campaigns/new', shows: 'Newsletter' },
  {
    name: 'campaigns-test-draft',
    path: '/campaigns',
    by: 'Year in review',
    onTo: ['Review and send'],
    shows: 'Variant B',
  },
  { name: 'campaigns-test-result', path: '/campaigns', by: 'Black Friday, quietly', shows: 'B was chosen' },
  { name: 'campaigns-compare', path: '/campaigns/compare', shows: 'Unsubscribed' },
  { name: 'templates', path: '/templates', shows: 'Updated' },
  { name: 'templates-new', path: '/templates/new', shows: 'Newsletter' },
  { name: 'layouts', path: '/layouts', shows: 'Fernway house style' },
  { name: 'layouts-one', path: '/layouts', by: 'Fernway house style', shows: 'Used by 1 template' },
  { name: 'templates-layout', path: '/templates', by: 'Season opening', shows: 'type, and layout' },
  { name: 'instance', path: '/instance', shows: 'data directory' },
  { name: 'outbox', path: '/outbox', shows: 'No transport is set' },
]
