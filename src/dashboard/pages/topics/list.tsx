// All topics of the project: who gets their mail, and whether they are still offered.
import { useQuery } from '@tanstack/react-query'
import { Tags } from 'lucide-react'
import { type Topic, topicsQuery } from '../../api/topics'
import { ForWriters } from '../../app/rights'
import { useProject } from '../../app/session'
import { t } from '../../texts'
import { Badge } from '../../ui/badge'
import { NoRows } from '../../ui/list-page'
import { Card, Page } from '../../ui/page'
import { RowList } from '../../ui/row-list'
import { CreateTopic, TopicActions } from './actions'

export function Topics() {
  const query = useQuery(topicsQuery)
  return (
    <Page
      title={t.topics.title}
      description={t.topics.about}
      actions={
        <ForWriters>
          <CreateTopic />
        </ForWriters>
      }
    >
      <RowList
        query={query}
        empty={<NoRows words={t.topics} icon={Tags} />}
        frame={list => <Card>{list}</Card>}
      >
        {topic => <Row key={topic.id} topic={topic} />}
      </RowList>
    </Page>
  )
}

function Row({ topic }: { topic: Topic }) {
  const { id, name, description, archived, offeredOnPages, subscribedByDefault, publicArchive } = topic
  const project = useProject()
  return (
    <li className="flex items-center gap-3 py-3">
      <div className="min-w-0 flex-1 space-y-0.5">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <span className="wrap-anywhere font-medium">{name}</span>
          {archived && <Badge tone="warn">{t.topics.archived}</Badge>}
          {!offeredOnPages && <Badge>{t.topics.hidden}</Badge>}
        </p>
        {description && <p className="wrap-anywhere text-quiet">{description}</p>}
        <p className="text-xs text-quiet">
          {subscribedByDefault ? t.topics.defaults.in : t.topics.defaults.out}
          {publicArchive && (
            <>
              {' · '}
              <a className="underline" href={`/archive/${project.id}/${id}`} target="_blank" rel="noreferrer">
                {t.topics.publicArchive}
              </a>
            </>
          )}
        </p>
      </div>
      <TopicActions topic={topic} />
    </li>
  )
}
