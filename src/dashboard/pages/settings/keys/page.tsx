// The keys of the project: shown on request, and replaced if they got into the wrong hands.

import { Eye, EyeOff } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { answer, api } from '../../../api/client'
import { isAdmin, refresh, refreshSession, useProject } from '../../../app/session'
import { t } from '../../../texts'
import { IconButton } from '../../../ui/button'
import { ConfirmButton } from '../../../ui/confirm'
import { CopyButton, CopyValue } from '../../../ui/copy'
import { SelectField } from '../../../ui/field'
import { Card, Page } from '../../../ui/page'
import { toast } from '../../../ui/toast'
import { AdminsOnly } from '../frame'
import { NamedKeys } from './list'

export function Keys() {
  const project = useProject()
  return (
    <Page title={t.settings.tabs.keys} description={t.settings.keys.hint}>
      <AdminsOnly />
      <Card>
        <dl className="space-y-5">
          {project.secret && (
            <Key name={t.settings.keys.secret} hint={t.settings.keys.secretHint}>
              <Hidden value={project.secret} />
            </Key>
          )}
          <Key name={t.settings.keys.public} hint={t.settings.keys.publicHint}>
            <CopyValue value={project.public} />
          </Key>
        </dl>
        {isAdmin(project) && <RotatePair projectId={project.id} />}
      </Card>
      {isAdmin(project) && <NamedKeys projectId={project.id} />}
      {project.webhookSecret && (
        <Card title={t.settings.keys.webhook} description={t.settings.keys.webhookHint}>
          <Hidden value={project.webhookSecret} />
          <RotateWebhook projectId={project.id} />
        </Card>
      )}
      <Card title={t.settings.keys.projectId}>
        <CopyValue value={project.id} />
      </Card>
    </Page>
  )
}

function Key({ name, hint, children }: { name: string; hint: string; children: ReactNode }) {
  return (
    <div>
      <dt className="font-medium">{name}</dt>
      <dd className="min-w-0">{children}</dd>
      <dd className="text-quiet">{hint}</dd>
    </div>
  )
}

/** A secret is shown to whoever asks, and copied without being shown. */
function Hidden({ value }: { value: string }) {
  const [isShown, setShown] = useState(false)
  return (
    <div className="flex max-w-full items-center gap-1">
      <code className="min-w-0 truncate font-mono text-[0.8125rem]">
        {isShown ? value : `${value.slice(0, 6)}${'•'.repeat(16)}`}
      </code>
      <IconButton
        label={isShown ? t.settings.keys.hide : t.words.show}
        aria-pressed={isShown}
        onClick={() => setShown(!isShown)}
      >
        {isShown ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
      </IconButton>
      <CopyButton text={value} />
    </div>
  )
}

function RotateWebhook({ projectId }: { projectId: string }) {
  const { question, consequence, action } = t.settings.keys.webhookRotation
  const rotate = async (): Promise<void> => {
    const params = { path: { id: projectId } }
    await answer(api.POST('/users/@me/projects/{id}/rotate-webhook-secret', { params }))
    await refreshSession()
    toast(t.settings.keys.webhookRotated)
  }
  return (
    <ConfirmButton
      className="mt-4"
      title={question}
      consequence={consequence}
      action={action}
      onConfirm={rotate}
    />
  )
}

const overlaps = ['0', '1', '24', '168', '720'] as const
type Overlap = (typeof overlaps)[number]

/** Replaces the pair: at once, or with a period during which the old keys still work. */
function RotatePair({ projectId }: { projectId: string }) {
  const [overlap, setOverlap] = useState<Overlap>('0')
  const { rotation } = t.keys
  const rotate = async (): Promise<void> => {
    const params = { path: { id: projectId } }
    const body = { overlapHours: Number(overlap) }
    await answer(api.POST('/users/@me/projects/{id}/regenerate-keys', { params, body }))
    await refreshSession()
    await refresh('settings', 'api-keys')
    toast(rotation.done)
    setOverlap('0')
  }
  return (
    <ConfirmButton
      className="mt-4"
      title={rotation.question}
      consequence={overlap === '0' ? rotation.atOnce : rotation.later}
      action={rotation.action}
      onConfirm={rotate}
    >
      <SelectField
        name="overlapHours"
        label={rotation.overlap}
        value={overlap}
        options={overlaps.map(each => [each, rotation.overlaps[each]])}
        onChange={event => setOverlap(event.target.value as Overlap)}
      />
    </ConfirmButton>
  )
}
