// What can't be undone: emptying the project, and deleting it. Both say what they destroy and ask for the name.

import { answer, api } from '../../api/client'
import { leaveFor } from '../../app/page-address'
import { type Project, refresh } from '../../app/session'
import { t } from '../../texts'
import { ConfirmButton } from '../../ui/confirm'
import { Card } from '../../ui/page'
import { rowsClass } from '../../ui/row-list'
import { toast } from '../../ui/toast'

export function DangerZone({ project: { id, name } }: { project: Project }) {
  const params = { path: { id } }
  const reset = async (): Promise<void> => {
    const { message } = await answer(api.POST('/users/@me/projects/{id}/reset', { params }))
    await refresh()
    toast(message)
  }
  const remove = async (): Promise<void> => {
    await answer(api.DELETE('/users/@me/projects/{id}', { params }))
    leaveFor(undefined, '/', true)
  }
  return (
    <Card title={t.settings.danger} className="border-bad/50">
      <ul className={rowsClass}>
        <Danger name={name} words={t.settings.reset} onConfirm={reset} />
        <Danger name={name} words={t.settings.deletion} onConfirm={remove} />
      </ul>
    </Card>
  )
}

interface DangerProps {
  name: string
  words: {
    title: string
    action: string
    hint: string
    question: (name: string) => string
    consequence: string
  }
  onConfirm: () => Promise<void>
}

function Danger({ name, words, onConfirm }: DangerProps) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-medium">{words.title}</p>
        <p className="text-quiet">{words.hint}</p>
      </div>
      <ConfirmButton
        variant="danger"
        label={words.action}
        title={words.question(name)}
        consequence={words.consequence}
        action={words.title}
        word={name}
        onConfirm={onConfirm}
      />
    </li>
  )
}
