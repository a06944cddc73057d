// Which links were followed, and by how many; each leads to those who did.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { t } from '../../texts'
import { Badge } from '../../ui/badge'
import { Loaded } from '../../ui/loading'
import { Card } from '../../ui/page'
import { linksQuery } from './data'

export function Links({ id }: { id: string }) {
  const query = useQuery(linksQuery(id))
  return (
    <Card title={t.words.links} description={t.campaigns.linksHint}>
      <Loaded query={query}>
        {links =>
          links.length === 0 ? (
            <p className="text-quiet">{t.words.nothingYet}</p>
          ) : (
            <ul className="max-h-80 divide-y divide-line overflow-y-auto">
              {links.map(({ link, people, clicks }) => (
                <li key={link} className="flex items-center justify-between gap-3 py-1">
                  <Link
                    to="/campaigns/$id"
                    params={{ id }}
                    search={{ link }}
                    hash="recipients"
                    className="min-w-0 truncate py-1.5 underline decoration-edge underline-offset-2 hover:decoration-ink"
                  >
                    {link}
                  </Link>
                  <Badge tone="accent">{t.campaigns.linkClicks(people, clicks)}</Badge>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  )
}
