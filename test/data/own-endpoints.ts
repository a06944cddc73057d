// Endpoints beyond the interface document, on purpose, as routes spell them.
import { routeName } from '../../src/http/route'
import { servedRoutes } from '../support/routes'

export const ownEndpoints: readonly string[] = servedRoutes()
  .filter(({ hooks }) => hooks.detail?.addition && !hooks.detail.hide)
  .map(({ method, path }) => routeName(method, path.replace('/*', '/:key')))
