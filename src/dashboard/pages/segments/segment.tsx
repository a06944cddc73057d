// One segment: what it means, who is in it, who entered and who left.

import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { answer, api } from '../../api/client'
import { ForWriters } from '../../app/rights'
import { refresh } from '../../app/session'
import { FilterWords } from '../../editor/filter/result'
import { t } from '../../texts'
import { BackLink } from '../../ui/back-link'
import { Badge } from '../../ui/badge'
import { useBusy } from '../../ui/busy'
import { Button, ButtonLink } from '../../ui/button'
import { ConfirmButton } from '../../ui/confirm'
import { CopyValue } from '../../ui/copy'
import { formatNumber } from '../../ui/format'
import { Loaded } from '../../ui/loading'
import { Card, Page } from '../../ui/page'
import { Time } from '../../ui/time'
import { toast } from '../../ui/toast'
import { type Segment as Data, segmentQuery, treeOf } from './data'
import { History, Members, Paste } from './members'

const route = getRouteApi('/inside/segments/$id')

export function SegmentPage() {
  const { id } = route.useParams()
  const query = useQuery(segmentQuery(id))
  return (
    <Loaded page query={query}>
      {segment => <Shown segment={segment} />}
    </Loaded>
  )
}

function Shown({ segment }: { segment: Data }) {
  const { id, name, description, type, trackMembership } = segment
  return (
    <Page
      title={name}
      state={<Badge>{t.segments.kinds[type]}</Badge>}
      description={description}
      above={<BackLink to="/segments">{t.segments.title}</BackLink>}
      actions={
        <ForWriters>
          <Delete segment={segment} />
          <ButtonLink to="/segments/$id/edit" params={{ id }}>
            {t.words.edit}
          </ButtonLink>
        </ForWriters>
      }
    >
      <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="min-w-0 space-y-6">
          {type === 'STATIC' && (
            <ForWriters>
              <Paste segmentId={id} />
            </ForWriters>
          )}
          <Members segment={segment} />
        </div>
        <div className="min-w-0 space-y-6">
          <Facts segment={segment} />
          {trackMembership && <History segmentId={id} />}
        </div>
      </div>
    </Page>
  )
}

function Facts({ segment }: { segment: Data }) {
  const { id, type, memberCount, trackMembership, createdAt } = segment
  return (
    <Card title={t.segments.facts}>
      <div className="space-y-3">
        {type === 'DYNAMIC' && <FilterWords value={treeOf(segment)} />}
        <p className="text-2xl font-semibold tabular-nums">{formatNumber(memberCount)}</p>
        <ForWriters>
          <Recount id={id} isTracked={trackMembership} />
        </ForWriters>
        <p className="text-quiet">
          {t.segments.createdAt} <Time at={createdAt} exact />
        </p>
        <CopyValue value={id} />
      </div>
    </Card>
  )
}

/** For a tracked segment this records entries and exits; others are only counted. */
function Recount({ id, isTracked }: { id: string; isTracked: boolean }) {
  const [busy, run] = useBusy()
  const params = { path: { id } }
  const count = async (): Promise<void> => {
    if (isTracked) {
      const { added, removed } = (await answer(api.POST('/segments/{id}/compute', { params })))!
      toast(t.segments.computed(added, removed))
    } else await answer(api.POST('/segments/{id}/refresh', { params }))
  }
  const again = () => void refresh('segments')
  return (
    <Button busy={busy} onClick={() => run(count).finally(again)}>
      {isTracked ? t.segments.compute : t.segments.recount}
    </Button>
  )
}

function Delete({ segment: { id, name, memberCount } }: { segment: Data }) {
  const navigate = useNavigate()
  const remove = async (): Promise<void> => {
    await answer(api.DELETE('/segments/{id}', { params: { path: { id } } }))
    toast(t.words.deleted(name))
    await navigate({ to: '/segments' })
  }
  return (
    <ConfirmButton
      variant="danger"
      label={t.words.delete}
      title={t.words.deleteTitle(name)}
      consequence={t.segments.deleteHint(memberCount)}
      onConfirm={remove}
    />
  )
}
