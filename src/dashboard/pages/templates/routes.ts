// Messages that are kept to be used again.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { inside } from '../../app/frames'
import { searchOf } from '../../app/search'

export const templatesRoutes = [
  createRoute({
    getParentRoute: () => inside,
    path: '/templates',
    validateSearch: searchOf('search', 'type'),
    component: lazyRouteComponent(() => import('./list'), 'Templates'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/templates/new',
    component: lazyRouteComponent(() => import('./begin'), 'BeginTemplate'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/templates/$id',
    component: lazyRouteComponent(() => import('./template'), 'Template'),
  }),
] as const
