// Makes a topic.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { answer, api } from '../../api/client'
import { t } from '../../texts'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { toast } from '../../ui/toast'
import { TopicForm } from './form'

export function CreateTopic() {
  const queries = useQueryClient()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button look="strong" onClick={() => setOpen(true)}>
        {t.topics.create}
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title={t.topics.create}>
        <TopicForm
          action={t.topics.create}
          onClose={() => setOpen(false)}
          onSubmit={async said => {
            await answer(api.POST('/topics', { body: said }))
            await queries.invalidateQueries({ queryKey: ['topics'] })
            toast(t.words.created(said.name))
            setOpen(false)
          }}
        />
      </Dialog>
    </>
  )
}
