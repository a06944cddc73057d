// A new project, which is the first one after signing up.
import { answer, api } from '../../api/client'
import { leaveFor } from '../../app/page-address'
import { t } from '../../texts'
import { TextField } from '../../ui/field'
import { Form, SubmitButton, type Values } from '../../ui/form'
import { Heading } from './heading'

export function Welcome() {
  const create = async ({ name = '' }: Values): Promise<void> => {
    const project = await answer(api.POST('/users/@me/projects', { body: { name } }))
    leaveFor(project.id)
  }
  return (
    <>
      <Heading title={t.account.projectTitle}>{t.account.projectHint}</Heading>
      <Form onSubmit={create}>
        <TextField name="name" label={t.words.name} maxLength={100} required autoFocus />
        <SubmitButton className="w-full">{t.account.createProject}</SubmitButton>
      </Form>
    </>
  )
}
