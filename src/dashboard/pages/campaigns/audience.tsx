// Who a campaign goes to: everybody, segments and topics, or a filter, without whom, and which topic it is about; counted while choosing.
import { useState } from 'react'
import { FilterBuilder } from '../../editor/filter/builder'
import type { FilterTree } from '../../editor/filter/tree'
import { TopicField } from '../../editor/topic-field'
import { t } from '../../texts'
import { useFault } from '../../ui/form'
import { Card } from '../../ui/page'
import { audienceOf, type Chosen, chosenOf, unfinishedWithout } from './audience-choices'
import { Choices, useChoiceName } from './choices'
import type { Audience, CampaignRow } from './data'
import { Reach } from './reach'

interface AudienceCardProps {
  value: Audience
  onChange: (audience: Audience) => void
  type: CampaignRow['type']
  /** What is scheduled keeps its audience. */
  isFixed: boolean
}

const kinds = ['ALL', 'SEGMENT', 'FILTERED'] as const
type Kind = (typeof kinds)[number]

const blank = { segmentId: null, audienceCondition: null as never }
const nothing: Chosen = { include: [], exclude: [] }

/** As it is shown: a filter that only names segments and topics is a choice of them. */
function kindOf(audience: Audience): Kind {
  const chosen = audience.audienceType === 'FILTERED' ? chosenOf(audience) : undefined
  if (!chosen) return audience.audienceType
  return chosen.include.length > 0 ? 'SEGMENT' : 'ALL'
}

export function AudienceCard({ value, onChange, type, isFixed }: AudienceCardProps) {
  const fault = useFault('segmentId')
  // A filter that is being built may look like such a choice for a moment.
  const [isFilter, setIsFilter] = useState(false)
  const kind = isFilter && value.audienceType === 'FILTERED' ? 'FILTERED' : kindOf(value)
  const chosen = chosenOf(value) ?? nothing
  const { exclude } = chosen
  const choose = (to: Kind): void => {
    setIsFilter(to === 'FILTERED')
    if (to === kind) return
    const kept = to === 'ALL' ? audienceOf({ ...nothing, exclude }) : unfinishedWithout(exclude)
    onChange({ ...value, ...(to === 'FILTERED' ? { ...blank, audienceType: to } : kept) })
  }
  const setChosen = (next: Chosen): void => {
    // Without a segment the audience is empty, whichever are left out: it must not become every contact.
    const isEmpty = kind === 'SEGMENT' && next.include.length === 0
    onChange({ ...value, ...(isEmpty ? unfinishedWithout(next.exclude) : audienceOf(next)) })
  }
  return (
    <Card
      title={t.campaigns.partNames.audience}
      description={isFixed ? t.campaigns.audienceFixed : t.campaigns.audienceHint}
    >
      <fieldset disabled={isFixed} className="space-y-5">
        <legend className="sr-only">{t.campaigns.partNames.audience}</legend>
        <div className="flex flex-wrap gap-x-6 gap-y-2">
          {kinds.map(each => (
            <label key={each} className="flex min-h-9 items-center gap-2 max-md:min-h-11">
              <input
                type="radio"
                name="audienceType"
                className="size-4 accent-accent"
                checked={kind === each}
                onChange={() => choose(each)}
              />
              {t.campaigns.audiences[each]}
            </label>
          ))}
        </div>
        {kind === 'SEGMENT' && (
          <Choices
            name="segmentId"
            label={t.campaigns.inSegments}
            prompt={t.campaigns.chooseSegment}
            value={chosen.include}
            taken={exclude}
            onChange={include => setChosen({ ...chosen, include })}
          />
        )}
        {(kind === 'ALL' || (kind === 'SEGMENT' && chosen.include.length + exclude.length > 0)) && (
          <Choices
            name="excludedSegment"
            label={t.campaigns.notInSegments}
            prompt={t.campaigns.excludeSegment}
            value={exclude}
            taken={chosen.include}
            onChange={left => setChosen({ ...chosen, exclude: left })}
          />
        )}
        {kind === 'FILTERED' && (
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

/** What an audience is called, with the topic to whose subscribers it goes. */
export function useAudienceName(audience: Audience): string {
  const chosen = chosenOf(audience)
  const nameOf = useChoiceName(chosen?.include ?? [], true)
  const who = chosen && whoOf(audience, chosen, nameOf)
  const name = who ?? t.campaigns.audiences[audience.audienceType]
  return audience.topicId ? t.campaigns.inTopic(name, nameOf(`topic.${audience.topicId}`)) : name
}

function whoOf(
  audience: Audience,
  { include, exclude }: Chosen,
  nameOf: (choice: string) => string,
): string | undefined {
  if (kindOf(audience) === 'SEGMENT' && include.length === 0) return undefined
  const included = include.map(nameOf).join(', ') || t.campaigns.audiences.ALL
  return exclude.length > 0 ? t.campaigns.audienceExcept(included, exclude.map(nameOf).join(', ')) : included
}
