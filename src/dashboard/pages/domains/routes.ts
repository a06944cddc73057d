// Sender domains: all of them, and one with its DNS records.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { inside } from '../../app/frames'

export const domainsRoutes = [
  createRoute({
    getParentRoute: () => inside,
    path: '/domains',
    component: lazyRouteComponent(() => import('./list'), 'Domains'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/domains/$id',
    component: lazyRouteComponent(() => import('./domain'), 'Domain'),
  }),
] as const
