// Workflows: all of them, the drawing of one, its executions, and trying it out.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { inside } from '../../app/frames'
import { searchOf } from '../../app/search'

export const workflowsRoutes = [
  createRoute({
    getParentRoute: () => inside,
    path: '/workflows',
    validateSearch: searchOf('search', 'status'),
    component: lazyRouteComponent(() => import('./list'), 'Workflows'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/workflows/$id',
    validateSearch: searchOf('step'),
    component: lazyRouteComponent(() => import('./design'), 'Design'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/workflows/$id/executions',
    validateSearch: searchOf('status'),
    component: lazyRouteComponent(() => import('./executions'), 'Executions'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/workflows/$id/executions/$executionId',
    validateSearch: searchOf('step'),
    component: lazyRouteComponent(() => import('./execution'), 'ExecutionPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/workflows/$id/simulation',
    validateSearch: searchOf('step'),
    component: lazyRouteComponent(() => import('./simulation'), 'Simulation'),
  }),
] as const
