// Sending a message once more, after asking.
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { answer, api } from '../../api/client'
import { t } from '../../texts'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Form } from '../../ui/form'
import { DialogButtons } from '../../ui/form-dialog'
import { toast } from '../../ui/toast'
import type { Mail } from './data'

export function Resend({ mail: { id, to } }: { mail: Mail }) {
  const [open, setOpen] = useState(false)
  const navigate = useNavigate()
  const queries = useQueryClient()
  const send = async (): Promise<void> => {
    const made = await answer(api.POST('/emails/{id}/resend', { params: { path: { id } } }))
    setOpen(false)
    toast(t.messages.resent)
    void queries.invalidateQueries({ queryKey: ['emails'] })
    await navigate({ to: '/messages/$id', params: { id: made.id } })
  }
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t.messages.resend}</Button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title={t.messages.resendTitle}
        description={t.messages.resendHint(to)}
      >
        <Form onSubmit={send}>
          <DialogButtons onCancel={() => setOpen(false)}>{t.messages.resend}</DialogButtons>
        </Form>
      </Dialog>
    </>
  )
}
