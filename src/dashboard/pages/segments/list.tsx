// All segments of the project.

import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { ListChecks, SlidersHorizontal, UsersRound } from 'lucide-react'
import { t } from '../../texts'
import { Badge } from '../../ui/badge'
import { Button } from '../../ui/button'
import { type Column, timeColumn } from '../../ui/data-table'
import { formatNumber } from '../../ui/format'
import { ListPage } from '../../ui/list-page'
import { Menu } from '../../ui/menu'
import { type Segment, segmentsQuery } from './data'

export function Segments() {
  return (
    <ListPage
      words={t.segments}
      description={t.segments.about}
      icon={UsersRound}
      create={<Create />}
      query={useInfiniteQuery(segmentsQuery)}
      columns={columns()}
      rowKey={segment => segment.id}
    />
  )
}

function Create() {
  const navigate = useNavigate()
  return (
    <Menu
      trigger={<Button variant="strong">{t.segments.create}</Button>}
      entries={[
        {
          label: t.segments.createDynamic,
          icon: <SlidersHorizontal aria-hidden />,
          onSelect: () => void navigate({ to: '/segments/new' }),
        },
        {
          label: t.segments.createStatic,
          icon: <ListChecks aria-hidden />,
          onSelect: () => void navigate({ to: '/segments/new', search: { type: 'static' } }),
        },
      ]}
    />
  )
}

const columns = (): Column<Segment>[] => [
  {
    id: 'name',
    header: t.words.name,
    grows: true,
    cell: ({ id, name, description }) => (
      <Link to="/segments/$id" params={{ id }} className="group block truncate py-2">
        <span className="font-medium group-hover:underline">{name}</span>
        {description && <span className="text-quiet max-md:hidden"> · {description}</span>}
      </Link>
    ),
  },
  { id: 'type', header: t.words.kind, wideOnly: true, cell: segment => <Kind segment={segment} /> },
  {
    id: 'members',
    header: t.contacts.title,
    align: 'right',
    cell: ({ memberCount }) => formatNumber(memberCount),
  },
  timeColumn(t.words.updatedAt, ({ updatedAt }) => updatedAt),
]

function Kind({ segment: { type, trackMembership } }: { segment: Segment }) {
  return (
    <span className="inline-flex gap-1.5">
      <Badge>{t.segments.kinds[type]}</Badge>
      {trackMembership && <Badge tone="accent">{t.segments.tracked}</Badge>}
    </span>
  )
}
