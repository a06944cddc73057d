// What can be done with topics: create one, show its contacts, edit it, stop or begin to offer it, delete it.
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
import { mayWrite, refresh, useProject } from '../../app/session'
import { t } from '../../texts'
import { IconButton } from '../../ui/button'
import { changedParts } from '../../ui/changed-parts'
import { Confirm } from '../../ui/confirm'
import { CheckField, TextArea, TextField } from '../../ui/field'
import type { Values } from '../../ui/form'
import { FormDialog, FormDialogButton } from '../../ui/form-dialog'
import { Menu, type MenuEntry } from '../../ui/menu'
import { toast } from '../../ui/toast'

type Changes = Partial<Pick<Topic, 'name' | 'description' | 'archived' | 'offeredOnPages' | 'publicArchive'>>

export function CreateTopic() {
  return (
    <FormDialogButton
      label={t.topics.create}
      variant="strong"
      onSubmit={async values => {
        const body = { ...wordsOf(values), subscribedByDefault: values['byDefault'] === 'on' }
        await answer(api.POST('/topics', { body }))
        await refresh('topics')
        return t.words.created(body.name)
      }}
    >
      <TopicFields />
      {/* What applies to contacts who decided nothing is set once. */}
      <CheckField name="byDefault" label={t.topics.defaults.in} hint={t.topics.byDefaultHint} />
    </FormDialogButton>
  )
}

function TopicFields({ topic }: { topic?: Topic }) {
  return (
    <>
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
    </>
  )
}

const wordsOf = ({ name = '', description = '' }: Values) => ({
  name,
  description: description.trim() || null,
})

export function TopicActions({ topic }: { topic: Topic }) {
  const { id, name, archived, offeredOnPages, publicArchive } = topic
  const [asked, setAsked] = useState<'edit' | 'removal'>()
  const navigate = useNavigate()
  const close = (): void => setAsked(undefined)
  const params = { path: { id } }
  const change = async (body: Changes): Promise<void> => {
    await answer(api.PATCH('/topics/{id}', { params, body }))
    await refresh('topics')
  }
  const archive = async (archived: boolean): Promise<void> => {
    await change({ archived })
    const undo = { label: t.words.undo, run: () => void archive(!archived) }
    toast(archived ? t.topics.nowArchived(name) : t.topics.nowOffered(name), undo)
  }
  const show = async (publicArchive: boolean): Promise<void> => {
    await change({ publicArchive })
    toast(publicArchive ? t.topics.nowPublic(name) : t.topics.nowPrivate(name))
  }
  const offer = async (offeredOnPages: boolean): Promise<void> => {
    await change({ offeredOnPages })
    toast(offeredOnPages ? t.topics.nowShown(name) : t.topics.nowHidden(name))
  }
  const remove = async (): Promise<void> => {
    await answer(api.DELETE('/topics/{id}', { params }))
    await refresh('topics')
    toast(t.words.deleted(name))
  }
  const changes: Array<MenuEntry | null> = [
    { label: t.words.edit, icon: <Pencil aria-hidden />, onSelect: () => setAsked('edit') },
    {
      label: archived ? t.topics.offerAgain : t.topics.archive,
      icon: archived ? <ArchiveRestore aria-hidden /> : <Archive aria-hidden />,
      onSelect: () => void archive(!archived),
    },
    {
      label: offeredOnPages ? t.topics.hide : t.topics.unhide,
      icon: offeredOnPages ? <EyeOff aria-hidden /> : <Eye aria-hidden />,
      onSelect: () => void offer(!offeredOnPages),
    },
    {
      label: publicArchive ? t.topics.closeArchive : t.topics.openArchive,
      icon: publicArchive ? <GlobeLock aria-hidden /> : <Globe aria-hidden />,
      onSelect: () => void show(!publicArchive),
    },
    null,
    {
      label: t.words.delete,
      icon: <Trash2 aria-hidden />,
      danger: true,
      onSelect: () => setAsked('removal'),
    },
  ]
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
            onSelect: () => void navigate({ to: '/contacts', search: { filter: subscribersOf(id) } }),
          },
          ...(mayWrite(useProject()) ? changes : []),
        ]}
      />
      <FormDialog
        open={asked === 'edit'}
        onClose={close}
        title={t.words.edit}
        action={t.words.save}
        onSubmit={async values => {
          await change(changedParts(wordsOf(values), topic))
          return t.words.saved
        }}
      >
        <TopicFields topic={topic} />
      </FormDialog>
      <Confirm
        open={asked === 'removal'}
        onClose={close}
        title={t.words.deleteTitle(name)}
        consequence={t.topics.deleteHint}
        onConfirm={remove}
      />
    </>
  )
}

/** The filter of contacts that leaves those who get the topic's email. */
function subscribersOf(topicId: string): string {
  const filters = [`topic.${topicId}`, 'subscribed'].map(field => ({
    field,
    operator: 'equals',
    value: true,
  }))
  return JSON.stringify({ logic: 'AND', groups: [{ filters }] })
}
