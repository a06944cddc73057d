// The settings of a project, a page for each part.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { inside } from '../../app/frames'
import { searchOf } from '../../app/search'

const getParentRoute = () => inside

export const settingsRoutes = [
  createRoute({
    getParentRoute,
    path: '/settings',
    component: lazyRouteComponent(() => import('./general'), 'General'),
  }),
  createRoute({
    getParentRoute,
    path: '/settings/members',
    component: lazyRouteComponent(() => import('./members'), 'Members'),
  }),
  createRoute({
    getParentRoute,
    path: '/settings/keys',
    component: lazyRouteComponent(() => import('./keys/page'), 'Keys'),
  }),
  createRoute({
    getParentRoute,
    path: '/settings/webhooks',
    component: lazyRouteComponent(() => import('./webhooks/list'), 'Webhooks'),
  }),
  createRoute({
    getParentRoute,
    path: '/settings/webhooks/$id',
    validateSearch: searchOf('delivery'),
    component: lazyRouteComponent(() => import('./webhooks/endpoint'), 'OneEndpoint'),
  }),
  createRoute({
    getParentRoute,
    path: '/settings/billing',
    component: lazyRouteComponent(() => import('./billing'), 'Billing'),
  }),
  createRoute({
    getParentRoute,
    path: '/settings/audit-log',
    validateSearch: searchOf('action'),
    component: lazyRouteComponent(() => import('./audit-log'), 'AuditLog'),
  }),
] as const
