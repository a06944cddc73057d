// What can be done with a topic: show who gets its mail, change it, stop or begin to offer it, delete it.
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import {
  Archive,
  ArchiveRestore,
  Ellipsis,
  Eye,
  EyeOff,
  Globe,
  GlobeLock,
  Pencil,
  Trash2,
  Users,
} from 'lucide-react'
import { useState } from 'react'
import { answer, api } from '../../api/client'
import type { Topic } from '../../api/topics'
import { t } from '../../texts'
import { IconButton } from '../../ui/button'
import { changedParts } from '../../ui/changed-parts'
import { Confirm } from '../../ui/confirm'
import { Dialog } from '../../ui/dialog'
import { Menu } from '../../ui/menu'
import { toast, toastError } from '../../ui/toast'
import { TopicForm } from './form'

export function TopicActions({ topic }: { topic: Topic }) {
  const { id, name, archived, offeredOnPages, publicArchive } = topic
  const [asked, setAsked] = useState<'edit' | 'removal'>()
  const navigate = useNavigate()
  const acts = useActs(topic)
  const close = (): void => setAsked(undefined)
  const filter = JSON.stringify({
    logic: 'AND',
    groups: [
      {
        filters: [
          { field: `topic.${id}`, operator: 'equals', value: true },
          { field: 'subscribed', operator: 'equals', value: true },
        ],
      },
    ],
  })
  return (
    <>
      <Menu
        trigger={
          <IconButton label={t.topics.actionsOf(name)}>
            <Ellipsis aria-hidden />
          </IconButton>
        }
        entries={[
          {
            label: t.topics.showContacts,
            icon: <Users aria-hidden />,
            onSelect: () => void navigate({ to: '/contacts', search: { filter } }),
          },
          { label: t.words.edit, icon: <Pencil aria-hidden />, onSelect: () => setAsked('edit') },
          {
            label: archived ? t.topics.offerAgain : t.topics.archive,
            icon: archived ? <ArchiveRestore aria-hidden /> : <Archive aria-hidden />,
            onSelect: () => void acts.archive(!archived),
          },
          {
            label: offeredOnPages ? t.topics.hide : t.topics.unhide,
            icon: offeredOnPages ? <EyeOff aria-hidden /> : <Eye aria-hidden />,
            onSelect: () => void acts.offer(!offeredOnPages),
          },
          {
            label: publicArchive ? t.topics.closeArchive : t.topics.openArchive,
            icon: publicArchive ? <GlobeLock aria-hidden /> : <Globe aria-hidden />,
            onSelect: () => void acts.show(!publicArchive),
          },
          null,
          {
            label: t.words.delete,
            icon: <Trash2 aria-hidden />,
            danger: true,
            onSelect: () => setAsked('removal'),
          },
        ]}
      />
      <Dialog open={asked === 'edit'} onClose={close} title={t.words.edit}>
        <TopicForm
          topic={topic}
          action={t.words.save}
          onClose={close}
          onSubmit={async said => {
            await acts.change(changedParts(said, topic))
            toast(t.words.saved)
            close()
          }}
        />
      </Dialog>
      <Confirm
        open={asked === 'removal'}
        onClose={close}
        title={t.words.deleteTitle(name)}
        consequence={t.topics.deleteHint}
        action={t.words.deleteTitle(name)}
        onConfirm={acts.remove}
      />
    </>
  )
}

function useActs({ id, name }: Topic) {
  const queries = useQueryClient()
  const params = { path: { id } }
  const again = () => queries.invalidateQueries({ queryKey: ['topics'] })
  const change = async (body: {
    name?: string
    description?: string | null
    archived?: boolean
    offeredOnPages?: boolean
    publicArchive?: boolean
  }) => {
    await answer(api.PATCH('/topics/{id}', { params, body }))
    await again()
  }
  const archive = async (archived: boolean): Promise<void> => {
    try {
      await change({ archived })
      const undo = { label: t.words.undo, run: () => void archive(!archived) }
      toast(archived ? t.topics.nowArchived(name) : t.topics.nowOffered(name), undo)
    } catch (error) {
      toastError(error)
    }
  }
  const remove = async (): Promise<void> => {
    await answer(api.DELETE('/topics/{id}', { params }))
    await again()
    toast(t.words.deleted(name))
  }
  const show = async (publicArchive: boolean): Promise<void> => {
    try {
      await change({ publicArchive })
      toast(publicArchive ? t.topics.nowPublic(name) : t.topics.nowPrivate(name))
    } catch (error) {
      toastError(error)
    }
  }
  const offer = async (offeredOnPages: boolean): Promise<void> => {
    try {
      await change({ offeredOnPages })
      toast(offeredOnPages ? t.topics.nowShown(name) : t.topics.nowHidden(name))
    } catch (error) {
      toastError(error)
    }
  }
  return { change, archive, offer, show, remove }
}
