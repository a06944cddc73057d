// All segments of the project.
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { ListChecks, SlidersHorizontal, UsersRound } from 'lucide-react'
import { t } from '../../texts'
import { Badge } from '../../ui/badge'
import { Button, ButtonLink } from '../../ui/button'
import { type Column, DataTable } from '../../ui/data-table'
import { formatNumber } from '../../ui/format'
import { Menu } from '../../ui/menu'
import { Empty, Page } from '../../ui/page'
import { Time } from '../../ui/time'
import { type Segment, segmentsQuery } from './data'

export function Segments() {
  const query = useInfiniteQuery(segmentsQuery)
  return (
    <Page title={t.segments.title} description={t.segments.about} actions={<Create />}>
      <DataTable
        label={t.segments.title}
        query={query}
        columns={columns()}
        rowKey={segment => segment.id}
        empty={
          <Empty
            icon={<UsersRound aria-hidden />}
            title={t.segments.empty}
            action={
              <ButtonLink to="/segments/new" look="strong">
                {t.segments.createDynamic}
              </ButtonLink>
            }
          >
            {t.segments.emptyHint}
          </Empty>
        }
      />
    </Page>
  )
}

function Create() {
  const navigate = useNavigate()
  return (
    <Menu
      trigger={<Button look="strong">{t.segments.create}</Button>}
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
  {
    id: 'updatedAt',
    header: t.words.updatedAt,
    align: 'right',
    wideOnly: true,
    cell: ({ updatedAt }) => <Time at={updatedAt} quiet />,
  },
]

function Kind({ segment: { type, trackMembership } }: { segment: Segment }) {
  return (
    <span className="inline-flex gap-1.5">
      <Badge>{t.segments.kinds[type]}</Badge>
      {trackMembership && <Badge tone="accent">{t.segments.tracked}</Badge>}
    </span>
  )
}
