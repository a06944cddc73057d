// The reference pages' queries to the server.
import { queryOptions } from '@tanstack/react-query'
import { fetchReference, type Reference } from '../../api/reference'

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
