// Data that was read before a change may have changed with it: names to choose from, counts, the first steps. A page that is opened
// afterwards loads anew; what is on the screen stays until the page that made the change refreshes it.
import type { Middleware } from 'openapi-fetch'
import { queryClient } from './session'

/** These change nothing, and an editor calls them with each word that is typed. */
const questions = /\/(audience|lookup|preview|search|simulate)$/

export const ageing: Middleware = {
  onResponse({ request, response, schemaPath }) {
    if (request.method === 'GET' || !response.ok || questions.test(schemaPath)) return
    void queryClient.invalidateQueries({
      refetchType: 'none',
      // Something that is being edited is not reloaded behind somebody's back.
      predicate: ({ options }) => (options as { staleTime?: unknown }).staleTime !== Number.POSITIVE_INFINITY,
    })
  },
}
