// The ledger: what was sent to whom, and its outcome.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { inside } from '../../app/frames'
import { searchOf } from '../../app/search'

export const messagesRoutes = [
  createRoute({
    getParentRoute: () => inside,
    path: '/messages',
    validateSearch: searchOf('to', 'subject', 'template', 'campaign', 'workflow', 'days', 'trouble'),
    component: lazyRouteComponent(() => import('./list'), 'Messages'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/messages/$id',
    component: lazyRouteComponent(() => import('./message'), 'Message'),
  }),
] as const
