// Replaces the pair: at once, or with a period during which the old keys still work.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { answer, api } from '../../../api/client'
import { refreshSession } from '../../../app/session'
import { t } from '../../../texts'
import { ConfirmButton } from '../../../ui/confirm'
import { SelectField } from '../../../ui/field'
import { toast } from '../../../ui/toast'

const overlaps = ['0', '1', '24', '168', '720'] as const
type Overlap = (typeof overlaps)[number]

export function RotatePair({ projectId }: { projectId: string }) {
  const [overlap, setOverlap] = useState<Overlap>('0')
  const queries = useQueryClient()
  const { rotation } = t.keys
  const rotate = async (): Promise<void> => {
    const params = { path: { id: projectId } }
    const body = { overlapHours: Number(overlap) }
    await answer(api.POST('/users/@me/projects/{id}/regenerate-keys', { params, body }))
    await refreshSession()
    await queries.invalidateQueries({ queryKey: ['settings', 'api-keys'] })
    toast(rotation.done)
    setOverlap('0')
  }
  return (
    <ConfirmButton
      className="mt-4"
      title={rotation.question}
      consequence={overlap === '0' ? rotation.atOnce : rotation.later}
      action={rotation.action}
      onConfirm={rotate}
    >
      <SelectField
        name="overlapHours"
        label={rotation.overlap}
        value={overlap}
        onChange={event => setOverlap(event.target.value as Overlap)}
      >
        {overlaps.map(each => (
          <option key={each} value={each}>
            {rotation.overlaps[each]}
          </option>
        ))}
      </SelectField>
    </ConfirmButton>
  )
}
