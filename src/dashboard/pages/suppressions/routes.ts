// Addresses that get nothing more.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { inside } from '../../app/frames'
import { searchOf } from '../../app/search'

export const suppressionsRoutes = [
  createRoute({
    getParentRoute: () => inside,
    path: '/suppressions',
    validateSearch: searchOf('search', 'reason'),
    component: lazyRouteComponent(() => import('./list'), 'Suppressions'),
  }),
] as const
