// Starts a workflow by hand for one contact.
import { useNavigate } from '@tanstack/react-router'
import { answer, api } from '../../api/client'
import { ApiError } from '../../api/error'
import { refresh } from '../../app/session'
import { t } from '../../texts'
import { TextField } from '../../ui/field'
import type { Values } from '../../ui/form'
import { FormDialog } from '../../ui/form-dialog'

interface StartProps {
  workflowId: string
  open: boolean
  onClose: () => void
}

/** The contact with exactly this address. */
export async function findContact(email: string): Promise<string> {
  const wanted = email.trim().toLowerCase()
  const { data } = await answer(api.GET('/contacts', { params: { query: { search: wanted, limit: 20 } } }))
  const found = data.find(contact => contact.email === wanted)
  if (found) return found.id
  const faults = [{ field: 'email', message: t.workflows.noContact }]
  throw new ApiError(404, 'CONTACT_NOT_FOUND', t.workflows.noContact, { faults })
}

export function StartByHand({ workflowId, open, onClose }: StartProps) {
  const navigate = useNavigate()
  const start = async ({ email = '' }: Values): Promise<undefined> => {
    const body = { contactId: await findContact(email) }
    const path = { id: workflowId }
    const { id } = await answer(api.POST('/workflows/{id}/executions', { params: { path }, body }))
    void refresh('workflows')
    await navigate({
      to: '/workflows/$id/executions/$executionId',
      params: { id: workflowId, executionId: id },
    })
  }
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={t.workflows.start}
      description={t.workflows.startHint}
      action={t.workflows.startNow}
      onSubmit={start}
    >
      <TextField name="email" type="email" label={t.workflows.contactAddress} required autoComplete="off" />
    </FormDialog>
  )
}
