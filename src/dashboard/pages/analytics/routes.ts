// The results of mail over some days.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { inside } from '../../app/frames'
import { searchOf } from '../../app/search'

export const analyticsRoutes = [
  createRoute({
    getParentRoute: () => inside,
    path: '/analytics',
    validateSearch: searchOf('days', 'metric', 'show'),
    component: lazyRouteComponent(() => import('./analytics'), 'Analytics'),
  }),
] as const
