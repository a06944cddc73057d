// Mail that was kept instead of sent, as its readers would see it.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { inside } from '../../app/frames'
import { searchOf } from '../../app/search'

export const outboxRoutes = [
  createRoute({
    getParentRoute: () => inside,
    path: '/outbox',
    validateSearch: searchOf('mail'),
    component: lazyRouteComponent(() => import('./outbox'), 'Outbox'),
  }),
] as const
