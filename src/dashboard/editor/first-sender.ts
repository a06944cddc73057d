// The sender that new mail begins with.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { domainsQuery } from '../api/domains'
import { useProject } from '../app/session'

/** Asks for the domains at once; the function waits for them, because somebody may choose before they are there. Empty without a domain. */
export function useFirstSender(): () => Promise<string> {
  const queries = useQueryClient()
  const query = domainsQuery(useProject().id)
  useQuery(query)
  return async () => {
    const domains = await queries.ensureQueryData(query)
    const domain = domains.find(each => each.verified) ?? domains[0]
    return domain ? `hello@${domain.domain}` : ''
  }
}
