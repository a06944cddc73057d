// Adds somebody who has an account, or invites an address that has none.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { answer, api } from '../../api/client'
import { t } from '../../texts'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { SelectField, TextField } from '../../ui/field'
import { Form, type Values } from '../../ui/form'
import { DialogButtons } from '../../ui/form-dialog'
import { toast } from '../../ui/toast'

export function Invite({ projectId }: { projectId: string }) {
  const [open, setOpen] = useState(false)
  const queries = useQueryClient()
  const invite = async ({ email = '', role }: Values): Promise<void> => {
    const body = { email, role: role === 'ADMIN' ? ('ADMIN' as const) : ('MEMBER' as const) }
    const { pending } = await answer(
      api.POST('/projects/{id}/members', { params: { path: { id: projectId } }, body }),
    )
    setOpen(false)
    toast(pending ? t.settings.members.wasInvited(email) : t.settings.members.wasAdded(email))
    await queries.invalidateQueries({ queryKey: ['members'] })
  }
  return (
    <>
      <Button look="strong" onClick={() => setOpen(true)}>
        {t.settings.members.invite}
      </Button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title={t.settings.members.inviteTitle}
        description={t.settings.members.inviteHint}
      >
        <Form onSubmit={invite}>
          <TextField
            name="email"
            type="email"
            label={t.words.email}
            maxLength={320}
            autoComplete="off"
            required
          />
          <SelectField name="role" label={t.settings.members.role} defaultValue="MEMBER">
            <option value="MEMBER">{t.settings.roles.MEMBER}</option>
            <option value="ADMIN">{t.settings.roles.ADMIN}</option>
          </SelectField>
          <DialogButtons onCancel={() => setOpen(false)}>{t.settings.members.invite}</DialogButtons>
        </Form>
      </Dialog>
    </>
  )
}
