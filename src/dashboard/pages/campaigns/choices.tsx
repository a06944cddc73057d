// Segments and topics, chosen one after the other from a list and shown with their sizes; and recipients of a campaign, where its results led here.
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { readQuery } from '../../api/queries'
import { topicsQuery } from '../../api/topics'
import type { CampaignReaction } from '../../editor/filter/operators'
import { t } from '../../texts'
import { IconButton } from '../../ui/button'
import { Select } from '../../ui/field'
import { type Choice, partsOf } from './audience-choices'
import { segmentsQuery } from './data'

interface ChoicesProps {
  name: string
  label: string
  /** Of the list, until something is chosen. */
  prompt: string
  value: readonly Choice[]
  /** Chosen in the other list. */
  taken: readonly Choice[]
  onChange: (choices: readonly Choice[]) => void
}

/** As many as people can keep in mind, and far fewer than a filter may have. */
const most = 20

export function Choices({ name, label, prompt, value, taken, onChange }: ChoicesProps) {
  const { data: segments } = useQuery(segmentsQuery)
  const { data: topics } = useQuery(topicsQuery)
  const nameOf = useChoiceName(value)
  const isFree = (choice: Choice): boolean => !value.includes(choice) && !taken.includes(choice)
  const offered = [
    {
      label: t.filter.families.segment,
      choices: (segments ?? []).map(({ id }) => `segment.${id}`).filter(isFree),
    },
    {
      label: t.filter.families.topic,
      choices: (topics ?? [])
        .filter(({ archived }) => !archived)
        .map(({ id }) => `topic.${id}`)
        .filter(isFree),
    },
  ].filter(({ choices }) => choices.length > 0)
  const said = value.length > 0 ? t.campaigns.addSegment : prompt
  return (
    <div className="space-y-2">
      <p className="font-medium">{label}</p>
      {value.length > 0 && (
        <ul className="flex flex-wrap gap-2" aria-label={label}>
          {value.map(choice => (
            <li key={choice} className="flex items-center gap-1 rounded-md bg-accent-soft pl-3 wrap-anywhere">
              {nameOf(choice)}
              <IconButton
                label={t.campaigns.removeSegment(nameOf(choice))}
                variant="quiet"
                onClick={() => onChange(value.filter(each => each !== choice))}
              >
                <X aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      {offered.length > 0 && value.length < most && (
        <Select
          name={name}
          // Both lists have the same prompt once something is chosen.
          label={value.length > 0 ? `${label}: ${said}` : said}
          className="md:max-w-96"
          value=""
          options={[]}
          onChange={choice => onChange([...value, choice])}
        >
          <option value="" disabled>
            {said}
          </option>
          {offered.map(group => (
            <optgroup key={group.label} label={group.label}>
              {group.choices.map(choice => (
                <option key={choice} value={choice}>
                  {nameOf(choice)}
                </option>
              ))}
            </optgroup>
          ))}
        </Select>
      )}
      {segments?.length === 0 && topics?.length === 0 && (
        <p className="text-quiet">{t.campaigns.noSegments}</p>
      )}
    </div>
  )
}

const sentQuery = readQuery(
  ['campaigns', 'names'],
  '/campaigns',
  { query: { status: 'SENT', pageSize: 50 } },
  { staleTime: 30_000 },
)

/** What something is called that can be chosen; segments with their size where there is room for it. */
export function useChoiceName(chosen: readonly Choice[], isShort = false): (choice: Choice) => string {
  const { data: segments = [] } = useQuery(segmentsQuery)
  const { data: topics = [] } = useQuery(topicsQuery)
  const asksCampaigns = chosen.some(each => partsOf(each).family === 'campaign')
  const { data: sent } = useQuery({ ...sentQuery, enabled: asksCampaigns })
  return choice => {
    const { family, id, reaction } = partsOf(choice)
    if (family === 'topic') return topics.find(each => each.id === id)?.name ?? t.topics.gone
    if (family === 'campaign') {
      const name = sent?.data.find(each => each.id === id)?.name ?? t.filter.someCampaign
      return t.campaigns.didWith(name, t.filter.campaignReactions[reaction as CampaignReaction])
    }
    const segment = segments.find(each => each.id === id)
    if (!segment) return t.campaigns.deletedSegment
    return isShort ? segment.name : t.campaigns.segmentWithCount(segment.name, segment.memberCount)
  }
}
