// All routes. A page's folder declares its own in its routes.ts; here they are put into one of two frames: `outside` for whoever is not
// signed in, `inside` for a project.
import { createRouter } from '@tanstack/react-router'
import { accountRoutes } from '../pages/account/routes'
import { activityRoutes } from '../pages/activity/routes'
import { analyticsRoutes } from '../pages/analytics/routes'
import { campaignsRoutes } from '../pages/campaigns/routes'
import { contactsRoutes } from '../pages/contacts/routes'
import { domainsRoutes } from '../pages/domains/routes'
import { eventsRoutes } from '../pages/events/routes'
import { formsRoutes } from '../pages/forms/routes'
import { instanceRoutes } from '../pages/instance/routes'
import { layoutsRoutes } from '../pages/layouts/routes'
import { messagesRoutes } from '../pages/messages/routes'
import { outboxRoutes } from '../pages/outbox/routes'
import { overviewRoutes } from '../pages/overview/routes'
import { profileRoutes } from '../pages/profile/routes'
import { referenceRoutes } from '../pages/reference/routes'
import { segmentsRoutes } from '../pages/segments/routes'
import { settingsRoutes } from '../pages/settings/routes'
import { suppressionsRoutes } from '../pages/suppressions/routes'
import { templatesRoutes } from '../pages/templates/routes'
import { topicsRoutes } from '../pages/topics/routes'
import { workflowsRoutes } from '../pages/workflows/routes'
import { inside, outside, root } from './frames'
import { basePath } from './page-address'
import { redrawWithLanguage } from './redrawn'
import { readSearch, writeSearch } from './search'

const tree = root.addChildren([
  outside.addChildren([...accountRoutes]),
  inside.addChildren([
    ...overviewRoutes,
    ...campaignsRoutes,
    ...templatesRoutes,
    ...layoutsRoutes,
    ...outboxRoutes,
    ...messagesRoutes,
    ...contactsRoutes,
    ...suppressionsRoutes,
    ...analyticsRoutes,
    ...activityRoutes,
    ...eventsRoutes,
    ...segmentsRoutes,
    ...topicsRoutes,
    ...formsRoutes,
    ...workflowsRoutes,
    ...domainsRoutes,
    ...settingsRoutes,
    ...profileRoutes,
    ...referenceRoutes,
    ...instanceRoutes,
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
