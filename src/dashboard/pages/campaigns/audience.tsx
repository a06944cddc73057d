// Who a campaign goes to: everybody, a segment or a filter, and which topic it is about; counted while choosing.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { FilterBuilder } from '../../editor/filter/builder'
import { type FilterTree, isComplete } from '../../editor/filter/tree'
import { TopicField } from '../../editor/topic-field'
import { t } from '../../texts'
import { Button } from '../../ui/button'
import { ErrorNote } from '../../ui/error-note'
import { inputClass } from '../../ui/field'
import { Card } from '../../ui/page'
import { useRested } from '../../ui/rested'
import { type Audience, audienceQuery, type CampaignRow, segmentsQuery } from './data'

interface AudienceCardProps {
  campaign: CampaignRow
  type: CampaignRow['type']
  onSave: (audience: Audience) => Promise<void>
}

const kinds = ['ALL', 'SEGMENT', 'FILTERED'] as const

export function AudienceCard({ campaign, type, onSave }: AudienceCardProps) {
  const { audienceType, segmentId, audienceCondition, topicId, status } = campaign
  const [audience, setAudience] = useState<Audience>({
    audienceType,
    segmentId,
    audienceCondition,
    topicId,
  })
  const [state, setState] = useState<{ busy?: boolean; error?: unknown }>({})
  const isFixed = status !== 'DRAFT'
  const save = async (): Promise<void> => {
    setState({ busy: true })
    try {
      await onSave(onlyOwn(audience))
      setState({})
    } catch (error) {
      setState({ error })
    }
  }
  return (
    <Card
      title={t.campaigns.audience}
      description={isFixed ? t.campaigns.audienceFixed : t.campaigns.audienceHint}
    >
      <fieldset disabled={isFixed} className="space-y-5">
        <legend className="sr-only">{t.campaigns.audience}</legend>
        <div className="flex flex-wrap gap-x-6 gap-y-2">
          {kinds.map(kind => (
            <label key={kind} className="flex min-h-9 items-center gap-2 max-md:min-h-11">
              <input
                type="radio"
                name="audienceType"
                className="size-4 accent-accent"
                checked={audience.audienceType === kind}
                onChange={() => setAudience({ ...audience, audienceType: kind })}
              />
              {t.campaigns.audiences[kind]}
            </label>
          ))}
        </div>
        {audience.audienceType === 'SEGMENT' && (
          <SegmentChoice
            value={audience.segmentId}
            onChange={id => setAudience({ ...audience, segmentId: id })}
          />
        )}
        {audience.audienceType === 'FILTERED' && (
          <FilterBuilder
            value={(audience.audienceCondition ?? undefined) as FilterTree | undefined}
            onChange={tree => setAudience({ ...audience, audienceCondition: tree as never })}
          />
        )}
        {(type !== 'TRANSACTIONAL' || audience.topicId) && (
          <TopicField
            name="topicId"
            className="md:max-w-96"
            value={audience.topicId}
            onChange={chosen => setAudience({ ...audience, topicId: chosen })}
          />
        )}
        <Reach type={type} audience={audience} />
        {state.error !== undefined && <ErrorNote error={state.error} />}
        <Button look="strong" busy={state.busy} disabled={!isWhole(audience)} onClick={save}>
          {t.campaigns.useAudience}
        </Button>
      </fieldset>
    </Card>
  )
}

function onlyOwn({ audienceType, segmentId, audienceCondition, topicId }: Audience): Audience {
  return {
    audienceType,
    segmentId: audienceType === 'SEGMENT' ? segmentId : null,
    audienceCondition: audienceType === 'FILTERED' ? audienceCondition : (null as never),
    topicId,
  }
}

function isWhole({ audienceType, segmentId, audienceCondition }: Audience): boolean {
  if (audienceType === 'SEGMENT') return Boolean(segmentId)
  return audienceType === 'ALL' || isComplete((audienceCondition ?? undefined) as FilterTree | undefined)
}

function SegmentChoice({ value, onChange }: { value: string | null; onChange: (id: string) => void }) {
  const { data: segments = [] } = useQuery(segmentsQuery)
  return (
    <select
      aria-label={t.campaigns.audiences.SEGMENT}
      className={`${inputClass} md:max-w-96`}
      value={value ?? ''}
      onChange={event => onChange(event.target.value)}
    >
      <option value="" disabled>
        {t.campaigns.chooseSegment}
      </option>
      {segments.map(({ id, name, memberCount }) => (
        <option key={id} value={id}>
          {t.campaigns.segmentWithCount(name, memberCount)}
        </option>
      ))}
    </select>
  )
}

/** "5 of 5,040 are subscribed", before anybody is surprised. */
function Reach({ type, audience }: { type: CampaignRow['type']; audience: Audience }) {
  const rested = useRested(audience, 300)
  const { data, error } = useQuery({
    ...audienceQuery(type, onlyOwn(rested)),
    enabled: isWhole(rested),
  })
  if (!isWhole(audience)) return <p className="text-quiet">{t.campaigns.audienceUnfinished}</p>
  if (error) return <ErrorNote error={error} />
  if (!data) return <p className="text-quiet">{t.words.loading}</p>
  return (
    <p className="text-lg font-semibold tabular-nums" role="status">
      {type === 'TRANSACTIONAL'
        ? t.campaigns.reachesAll(data.matching)
        : t.campaigns.reaches(data.recipients, data.matching)}
    </p>
  )
}
