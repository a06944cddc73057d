// Events: their names with counts, and one name over time.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { inside } from '../../app/frames'
import { searchOf } from '../../app/search'

export const eventsRoutes = [
  createRoute({
    getParentRoute: () => inside,
    path: '/events',
    validateSearch: searchOf('search'),
    component: lazyRouteComponent(() => import('./list'), 'Events'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/events/$name',
    component: lazyRouteComponent(() => import('./event'), 'EventPage'),
  }),
] as const
