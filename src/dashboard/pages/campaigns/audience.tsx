// Who a campaign goes to: everybody, a segment or a filter, and which topic it is about; counted while choosing.
import { useQuery } from '@tanstack/react-query'
import { FilterBuilder } from '../../editor/filter/builder'
import type { FilterTree } from '../../editor/filter/tree'
import { TopicField } from '../../editor/topic-field'
import { t } from '../../texts'
import { ErrorNote } from '../../ui/error-note'
import { Select } from '../../ui/field'
import { useFault } from '../../ui/form'
import { Card } from '../../ui/page'
import { useRested } from '../../ui/rested'
import { type Audience, audienceQuery, type CampaignRow, segmentsQuery } from './data'
import { isWhole, onlyOwn } from './parts'

interface AudienceCardProps {
  value: Audience
  onChange: (audience: Audience) => void
  type: CampaignRow['type']
  /** What is scheduled keeps its audience. */
  isFixed: boolean
}

const kinds = ['ALL', 'SEGMENT', 'FILTERED'] as const

export function AudienceCard({ value, onChange, type, isFixed }: AudienceCardProps) {
  const fault = useFault('segmentId')
  return (
    <Card
      title={t.campaigns.partNames.audience}
      description={isFixed ? t.campaigns.audienceFixed : t.campaigns.audienceHint}
    >
      <fieldset disabled={isFixed} className="space-y-5">
        <legend className="sr-only">{t.campaigns.partNames.audience}</legend>
        <div className="flex flex-wrap gap-x-6 gap-y-2">
          {kinds.map(kind => (
            <label key={kind} className="flex min-h-9 items-center gap-2 max-md:min-h-11">
              <input
                type="radio"
                name="audienceType"
                className="size-4 accent-accent"
                checked={value.audienceType === kind}
                onChange={() => onChange({ ...value, audienceType: kind })}
              />
              {t.campaigns.audiences[kind]}
            </label>
          ))}
        </div>
        {value.audienceType === 'SEGMENT' && (
          <SegmentChoice value={value.segmentId} onChange={id => onChange({ ...value, segmentId: id })} />
        )}
        {value.audienceType === 'FILTERED' && (
          <FilterBuilder
            value={(value.audienceCondition ?? undefined) as FilterTree | undefined}
            onChange={tree => onChange({ ...value, audienceCondition: tree as never })}
          />
        )}
        {fault && (
          <p role="alert" className="text-bad">
            {fault}
          </p>
        )}
        {(type !== 'TRANSACTIONAL' || value.topicId) && (
          <TopicField
            name="topicId"
            className="md:max-w-96"
            value={value.topicId}
            onChange={chosen => onChange({ ...value, topicId: chosen })}
          />
        )}
        <Reach type={type} audience={value} />
      </fieldset>
    </Card>
  )
}

function SegmentChoice({ value, onChange }: { value: string | null; onChange: (id: string) => void }) {
  const { data: segments = [] } = useQuery(segmentsQuery)
  return (
    <Select
      name="segmentId"
      label={t.campaigns.audiences.SEGMENT}
      className="md:max-w-96"
      value={value ?? ''}
      options={segments.map(({ id, name, memberCount }) => [
        id,
        t.campaigns.segmentWithCount(name, memberCount),
      ])}
      onChange={onChange}
    >
      <option value="" disabled>
        {t.campaigns.chooseSegment}
      </option>
    </Select>
  )
}

/** How many contacts an audience reaches, as it is chosen: undefined while that is not known. */
export function useReach(type: CampaignRow['type'], audience: Audience) {
  const rested = useRested(audience, 300)
  return useQuery({ ...audienceQuery(type, onlyOwn(rested)), enabled: isWhole(rested) })
}

/** What an audience is called. */
export function useAudienceName(): (audience: Audience) => string {
  const { data: segments = [] } = useQuery(segmentsQuery)
  return ({ audienceType, segmentId }) => {
    const segment = audienceType === 'SEGMENT' && segments.find(({ id }) => id === segmentId)
    return segment ? segment.name : t.campaigns.audiences[audienceType]
  }
}

/** "5 of 5,040 are subscribed", before anybody is surprised. */
export function Reach({ type, audience }: { type: CampaignRow['type']; audience: Audience }) {
  const { data, error } = useReach(type, audience)
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
