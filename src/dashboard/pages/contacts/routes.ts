// Contacts: all of them, one of them, and importing many.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { inside } from '../../app/frames'
import { searchOf } from '../../app/search'

export const contactsRoutes = [
  createRoute({
    getParentRoute: () => inside,
    path: '/contacts',
    validateSearch: searchOf('search', 'status', 'sort', 'filter'),
    component: lazyRouteComponent(() => import('./list'), 'Contacts'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/contacts/import',
    component: lazyRouteComponent(() => import('./import'), 'ImportContacts'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/contacts/$id',
    component: lazyRouteComponent(() => import('./contact'), 'ContactPage'),
  }),
] as const
