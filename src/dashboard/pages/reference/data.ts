// The reference pages' queries to the server, and what they put into examples.

import { queryOptions, useQuery } from '@tanstack/react-query'
import { domainsQuery } from '../../api/domains'
import { fetchReference, type Reference } from '../../api/reference'
import { useProject } from '../../app/session'

export const referenceQuery = queryOptions({
  queryKey: ['reference'],
  queryFn: ({ signal }) => fetchReference(signal),
  staleTime: Number.POSITIVE_INFINITY,
})

/** The sections, with the operations whose section, path or descriptions contain all the words. */
export function searched(sections: Reference['sections'], words: string | undefined): Reference['sections'] {
  const asked = (words ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  if (asked.length === 0) return sections
  return sections
    .map(section => ({
      ...section,
      operations: section.operations.filter(({ method, path, summary, description = '' }) => {
        const text = `${section.tag} ${method} ${path} ${summary} ${description}`.toLowerCase()
        return asked.every(word => text.includes(word))
      }),
    }))
    .filter(({ operations }) => operations.length > 0)
}

/** The sender of all examples. */
const example = 'hello@acme.example'

/** Fills the project's own values into examples: its public key, and a sender that it may use. A secret is shown nowhere unasked. */
export function useFilling(): (text: string) => string {
  const project = useProject()
  const { data: domains = [] } = useQuery(domainsQuery(project.id))
  const domain = domains.find(each => each.verified)?.domain
  return text =>
    text.replaceAll('pk_…', project.public).replaceAll(example, domain ? `hello@${domain}` : example)
}
