// Forms by which people subscribe themselves.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { inside } from '../../app/frames'

export const formsRoutes = [
  createRoute({
    getParentRoute: () => inside,
    path: '/forms',
    component: lazyRouteComponent(() => import('./list'), 'Forms'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/forms/new',
    component: lazyRouteComponent(() => import('./form'), 'NewForm'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/forms/$id',
    component: lazyRouteComponent(() => import('./form'), 'FormPage'),
  }),
] as const
