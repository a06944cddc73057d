// The form of a topic. What holds for those who decided nothing is said once, when it is made.
import type { Topic } from '../../api/topics'
import { t } from '../../texts'
import { CheckField, TextArea, TextField } from '../../ui/field'
import { Form, type Values } from '../../ui/form'
import { DialogButtons } from '../../ui/form-dialog'

interface Said {
  name: string
  description: string | null
  subscribedByDefault?: boolean
}

interface TopicFormProps {
  topic?: Topic
  action: string
  onSubmit: (said: Said) => Promise<void>
  onClose: () => void
}

export function TopicForm({ topic, action, onSubmit, onClose }: TopicFormProps) {
  const submit = ({ name = '', description = '', byDefault }: Values): Promise<void> =>
    onSubmit({
      name,
      description: description.trim() || null,
      ...(topic ? {} : { subscribedByDefault: byDefault === 'on' }),
    })
  return (
    <Form onSubmit={submit}>
      <TextField
        name="name"
        label={t.words.name}
        defaultValue={topic?.name}
        maxLength={100}
        autoComplete="off"
        required
      />
      <TextArea
        name="description"
        label={t.words.description}
        hint={t.topics.descriptionHint}
        defaultValue={topic?.description ?? ''}
        rows={2}
        maxLength={500}
        optional
      />
      {!topic && <CheckField name="byDefault" label={t.topics.defaults.in} hint={t.topics.byDefaultHint} />}
      <DialogButtons onCancel={onClose}>{action}</DialogButtons>
    </Form>
  )
}
