// What was read before a change may have changed with it: names to choose from, counts, the first steps. Whoever opens a page after it
// reads anew; what is on the screen stays until the page that made the change says otherwise.
import type { Middleware } from 'openapi-fetch'
import { queryClient } from './session'

/** They change nothing, and an editor asks them with each word that is typed. */
const questions = /\/(audience|lookup|preview|search|simulate)$/

export const ageing: Middleware = {
  onResponse({ request, response, schemaPath }) {
    if (request.method === 'GET' || !response.ok || questions.test(schemaPath)) return
    void queryClient.invalidateQueries({
      refetchType: 'none',
      // What is being edited is not read anew behind somebody's back.
      predicate: ({ options }) => (options as { staleTime?: unknown }).staleTime !== Number.POSITIVE_INFINITY,
    })
  },
}
