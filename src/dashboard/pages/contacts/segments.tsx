// The segments that a contact is in at the moment.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { t } from '../../texts'
import { Loaded } from '../../ui/loading'
import { Card } from '../../ui/page'
import { contactSegmentsQuery } from './data'

export function Segments({ contactId }: { contactId: string }) {
  const query = useQuery(contactSegmentsQuery(contactId))
  return (
    <Card title={t.segments.title}>
      <Loaded query={query}>
        {({ segments }) =>
          segments.length === 0 ? (
            <p className="text-quiet">{t.contacts.noSegments}</p>
          ) : (
            <ul className="flex flex-wrap gap-1.5">
              {segments.map(({ id, name }) => (
                <li key={id} className="min-w-0">
                  <Link
                    to="/segments/$id"
                    params={{ id }}
                    className="inline-flex min-h-7 max-w-full items-center truncate rounded-full bg-hover px-2.5 hover:underline max-md:min-h-11"
                  >
                    {name}
                  </Link>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  )
}
