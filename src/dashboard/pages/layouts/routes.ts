// Layouts, which go around mails.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { inside } from '../../app/frames'

export const layoutsRoutes = [
  createRoute({
    getParentRoute: () => inside,
    path: '/layouts',
    component: lazyRouteComponent(() => import('./list'), 'Layouts'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/layouts/$id',
    component: lazyRouteComponent(() => import('./layout'), 'Layout'),
  }),
] as const
