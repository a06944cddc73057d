// What else can be done with a campaign, by its state.
import { useNavigate } from '@tanstack/react-router'
import { Ban, Copy, Ellipsis, Globe, GlobeLock, Scale, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { answer, api } from '../../api/client'
import { maySend, mayWrite, refresh, useProject } from '../../app/session'
import { t } from '../../texts'
import { IconButton } from '../../ui/button'
import { Confirm } from '../../ui/confirm'
import { Menu, type MenuEntry } from '../../ui/menu'
import { toast, toastError } from '../../ui/toast'
import type { CampaignRow } from './data'

interface MoreProps {
  campaign: CampaignRow
  /** Stores what is typed: a copy is a copy of what is shown, unless only a press stores that. */
  store?: (() => Promise<CampaignRow | undefined>) | undefined
}

export function More({ campaign, store }: MoreProps) {
  const { id, name, status, totalRecipients, sentCount, topicId, inArchive } = campaign
  const [asks, setAsks] = useState<'delete' | 'cancel'>()
  const navigate = useNavigate()
  const params = { params: { path: { id } } }
  const copy = async (): Promise<void> => {
    if (store && !(await store())) return
    const made = await answer(api.POST('/campaigns/{id}/duplicate', params))
    await navigate({ to: '/campaigns/$id', params: { id: made!.id }, search: {} })
  }
  const show = async (): Promise<void> => {
    try {
      await answer(api.PUT('/campaigns/{id}/archive', { ...params, body: { inArchive: !inArchive } }))
      await refresh('campaigns')
      toast(inArchive ? t.campaigns.nowHidden : t.campaigns.nowShown)
    } catch (error) {
      toastError(error)
    }
  }
  const destroy = async (): Promise<void> => {
    if (asks === 'cancel') await answer(api.POST('/campaigns/{id}/cancel', params))
    else await answer(api.DELETE('/campaigns/{id}', params))
    await refresh('campaigns')
    if (asks === 'delete') await navigate({ to: '/campaigns' })
  }
  const project = useProject()
  const canWrite = mayWrite(project)
  const canCancel = canWrite && (status === 'SCHEDULED' || status === 'SENDING')
  const canDelete = canWrite && status === 'DRAFT'
  const compare = (): void => void navigate({ to: '/campaigns/compare', search: { one: id } })
  const entries: Array<MenuEntry | null> = [
    ...(canWrite
      ? [{ label: t.words.duplicate, icon: <Copy aria-hidden />, onSelect: () => void copy() }]
      : []),
    { label: t.campaigns.compareThis, icon: <Scale aria-hidden />, onSelect: compare },
    ...(topicId && maySend(project)
      ? [
          {
            label: inArchive ? t.campaigns.hideInArchive : t.campaigns.showInArchive,
            icon: inArchive ? <GlobeLock aria-hidden /> : <Globe aria-hidden />,
            onSelect: () => void show(),
          },
        ]
      : []),
    ...(canCancel || canDelete ? [null] : []),
    ...(canCancel
      ? [
          {
            label: t.campaigns.cancel,
            icon: <Ban aria-hidden />,
            danger: true,
            onSelect: () => setAsks('cancel'),
          },
        ]
      : []),
    ...(canDelete
      ? [
          {
            label: t.words.delete,
            icon: <Trash2 aria-hidden />,
            danger: true,
            onSelect: () => setAsks('delete'),
          },
        ]
      : []),
  ]
  return (
    <>
      <Menu
        trigger={
          <IconButton label={t.words.more} variant="plain">
            <Ellipsis aria-hidden />
          </IconButton>
        }
        entries={entries}
      />
      <Confirm
        open={asks !== undefined}
        onClose={() => setAsks(undefined)}
        title={asks === 'cancel' ? t.campaigns.cancelTitle(name) : t.words.deleteTitle(name)}
        consequence={
          asks === 'cancel' ? t.campaigns.cancelHint(totalRecipients - sentCount) : t.campaigns.deleteHint
        }
        action={asks === 'cancel' ? t.campaigns.cancel : t.words.deleteTitle(name)}
        onConfirm={destroy}
      />
    </>
  )
}
