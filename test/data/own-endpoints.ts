// Endpoints beyond the interface document, on purpose, as routes spell them.
import { additions } from '../../src/http/openapi/additions'

export const ownEndpoints: readonly string[] = [...additions].map(name =>
  name.replaceAll(/\{(\w+)\}/g, ':$1'),
)
