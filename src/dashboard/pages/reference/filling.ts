// Fills the project's own values into examples: its keys, and a sender that it may use.
import { useQuery } from '@tanstack/react-query'
import { domainsQuery } from '../../api/domains'
import { useProject } from '../../app/session'

/** The sender of all examples. */
const example = 'hello@acme.example'

export function useFilling(): (text: string) => string {
  const project = useProject()
  const { data: domains = [] } = useQuery(domainsQuery(project.id))
  const domain = domains.find(each => each.verified)?.domain
  return text =>
    text
      .replaceAll('sk_…', project.secret ?? 'sk_…')
      .replaceAll('pk_…', project.public)
      .replaceAll(example, domain ? `hello@${domain}` : example)
}
