// Several segments, chosen one after the other from a list and shown with their sizes.
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { t } from '../../texts'
import { IconButton } from '../../ui/button'
import { Select } from '../../ui/field'
import { segmentsQuery } from './data'

interface SegmentChoicesProps {
  name: string
  label: string
  /** Of the list, until something is chosen. */
  prompt: string
  value: readonly string[]
  /** Chosen in the other list. */
  taken: readonly string[]
  onChange: (ids: readonly string[]) => void
}

/** As many as one can keep in mind, and far fewer than a filter may have. */
const most = 20

export function SegmentChoices({ name, label, prompt, value, taken, onChange }: SegmentChoicesProps) {
  const { data: segments = [] } = useQuery(segmentsQuery)
  const nameOf = (id: string): string => {
    const segment = segments.find(each => each.id === id)
    return segment
      ? t.campaigns.segmentWithCount(segment.name, segment.memberCount)
      : t.campaigns.deletedSegment
  }
  const left = segments.filter(({ id }) => !value.includes(id) && !taken.includes(id))
  return (
    <div className="space-y-2">
      <p className="font-medium">{label}</p>
      {value.length > 0 && (
        <ul className="flex flex-wrap gap-2" aria-label={label}>
          {value.map(id => (
            <li key={id} className="flex items-center gap-1 rounded-md bg-accent-soft pl-3 wrap-anywhere">
              {nameOf(id)}
              <IconButton
                label={t.campaigns.removeSegment(nameOf(id))}
                variant="quiet"
                onClick={() => onChange(value.filter(each => each !== id))}
              >
                <X aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      {left.length > 0 && value.length < most && (
        <Select
          name={name}
          label={value.length > 0 ? t.campaigns.addSegment : prompt}
          className="md:max-w-96"
          value=""
          options={left.map(({ id }) => [id, nameOf(id)])}
          onChange={id => onChange([...value, id])}
        >
          <option value="" disabled>
            {value.length > 0 ? t.campaigns.addSegment : prompt}
          </option>
        </Select>
      )}
      {segments.length === 0 && <p className="text-quiet">{t.campaigns.noSegments}</p>}
    </div>
  )
}
