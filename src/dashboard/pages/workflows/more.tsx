// What else can be done with a workflow: settings, copying it, starting it by hand, deleting it.
import { useNavigate } from '@tanstack/react-router'
import { Copy, Play, Settings2, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { answer, api } from '../../api/client'
import { maySend, mayWrite, refresh, useProject } from '../../app/session'
import { t } from '../../texts'
import { Confirm } from '../../ui/confirm'
import { Menu, type MenuEntry } from '../../ui/menu'
import { toast } from '../../ui/toast'
import { inShort, type Whole } from './data'
import { StartByHand } from './start'

interface MoreProps {
  workflow: Whole
  onSettings: () => void
  /** Stores what is shown: a copy is a copy of that. Undefined where only a press stores it. */
  store: (() => Promise<unknown>) | undefined
}

export function More({ workflow, onSettings, store }: MoreProps) {
  const [asks, setAsks] = useState<'delete' | 'start'>()
  const navigate = useNavigate()
  const { id, name, enabled } = workflow
  const project = useProject()
  const copy = async (): Promise<void> => {
    if (store && !(await store())) return
    const made = await answer(api.POST('/workflows/{id}/duplicate', { params: { path: { id } } }))
    toast(t.words.created(made.name))
    await navigate({ to: '/workflows/$id', params: { id: made.id } })
  }
  const changes: Array<MenuEntry | null> = [
    {
      label: t.workflows.start,
      icon: <Play aria-hidden />,
      disabled: !(enabled && maySend(project)),
      onSelect: () => setAsks('start'),
    },
    { label: t.words.duplicate, icon: <Copy aria-hidden />, onSelect: () => void copy() },
    null,
    {
      label: t.workflows.delete,
      icon: <Trash2 aria-hidden />,
      danger: true,
      onSelect: () => setAsks('delete'),
    },
  ]
  return (
    <>
      <Menu
        entries={[
          { label: t.settings.title, icon: <Settings2 aria-hidden />, onSelect: onSettings },
          ...(mayWrite(project) ? changes : []),
        ]}
      />
      <StartByHand workflowId={id} open={asks === 'start'} onClose={() => setAsks(undefined)} />
      <Delete workflow={workflow} open={asks === 'delete'} onClose={() => setAsks(undefined)} key={name} />
    </>
  )
}

function Delete({ workflow, open, onClose }: { workflow: Whole; open: boolean; onClose: () => void }) {
  const navigate = useNavigate()
  const { id, name, executionCounts } = workflow
  const { running, finished, failed, cancelled } = inShort(executionCounts)
  const remove = async (): Promise<void> => {
    if (running > 0)
      await answer(api.POST('/workflows/{id}/executions/cancel-all', { params: { path: { id } } }))
    await answer(api.DELETE('/workflows/{id}', { params: { path: { id } } }))
    toast(t.words.deleted(name))
    void refresh('workflows', 'list')
    await navigate({ to: '/workflows' })
  }
  return (
    <Confirm
      open={open}
      onClose={onClose}
      title={t.workflows.deleteTitle(name)}
      consequence={t.workflows.deleteHint(running, finished + failed + cancelled)}
      action={t.workflows.delete}
      onConfirm={remove}
    />
  )
}
