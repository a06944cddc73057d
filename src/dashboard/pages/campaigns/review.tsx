// The final review: whom it reaches, what the check found, tests, and sending it.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ForWriters } from '../../app/rights'
import { brokenPlace, readable } from '../../editor/check'
import { PreviewFindings } from '../../editor/findings'
import { t } from '../../texts'
import { ErrorNote } from '../../ui/error-note'
import { Loading } from '../../ui/loading'
import { FittedMail } from '../../ui/mail/fitted'
import { Card } from '../../ui/page'
import { Tabs } from '../../ui/tabs'
import { variantField, variantNames } from './ab-test-draft'
import { useAudienceName } from './audience'
import { checkQuery, type VariantName } from './data'
import { Forecast } from './forecast'
import { Reach } from './reach'
import { checkId, goToCheck, Send } from './send'
import { Test } from './test-mail'
import type { DraftControl } from './use-campaign-draft'

interface ReviewProps {
  control: DraftControl
  /** Opens the part in which the message is written. */
  onWrite: () => Promise<void>
}

export function Review({ control, onWrite }: ReviewProps) {
  const { campaign } = control
  const { value: draft, isDirty, isLive, missing } = control.draft
  const [chosen, setChosen] = useState<VariantName>('A')
  const variants = campaign.abTest?.variants ?? []
  const names = variantNames.slice(0, variants.length + 1)
  const variant = names.find(name => name === chosen) ?? 'A'
  const { data: check, error } = useQuery(checkQuery(campaign.id, campaign.version, variant))
  const own = variants[names.indexOf(variant) - 1]
  const fromName = own?.fromName ?? campaign.fromName
  const written = { ...campaign, ...wordsOf(own) }
  /** Where a variant is written that is not as A: on this page. */
  const open = async (field: unknown): Promise<boolean> => {
    const member = field === 'subject' ? 'subject' : 'body'
    if (!own?.[member]) await onWrite()
    else document.getElementsByName(variantField(names.indexOf(variant) - 1, member))[0]?.focus()
    return !own?.[member]
  }
  // The check says it, in one place for all that runs into it.
  const showBroken = (error: unknown, name: VariantName): boolean => {
    if (!brokenPlace(error, written)) return false
    setChosen(name)
    goToCheck()
    return true
  }
  const audienceName = useAudienceName(draft.audience)
  const mail = check && <FittedMail html={check.html} title={check.subject} width={680} />
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_24rem]">
      <Card
        title={check?.subject ?? own?.subject ?? campaign.subject}
        description={`${fromName ?? ''} <${campaign.from}>`}
      >
        {isDirty && (isLive || Object.keys(missing).length > 0) && (
          <p role="status" className="mb-4 rounded-lg bg-warn-soft px-4 py-2.5">
            {t.campaigns.unsavedHint}
          </p>
        )}
        {names.length > 1 ? (
          <Tabs
            label={t.campaigns.abTest.title}
            tabs={names.map(name => ({ name, label: t.campaigns.abTest.variant(name) }))}
            value={variant}
            onChange={setChosen}
          >
            {mail}
          </Tabs>
        ) : (
          mail
        )}
        {!check && !error && <Loading lines={8} />}
        {error && <p className="text-quiet">{t.campaigns.noPreview}</p>}
      </Card>
      <div className="min-w-0 space-y-6">
        <Card title={t.campaigns.reach}>
          <p className="mb-1 wrap-anywhere">{audienceName}</p>
          <Reach type={draft.writing.type} audience={draft.audience} />
          <Forecast campaign={campaign} isBesideReach />
        </Card>
        <div id={checkId} tabIndex={-1}>
          <Card title={t.campaigns.check}>
            {error && <ErrorNote error={readable(error, written, open)} />}
            {check && <PreviewFindings {...check} />}
          </Card>
        </div>
        <ForWriters>
          <Test control={control} variant={variant} showBroken={showBroken} />
        </ForWriters>
        <Send control={control} showBroken={showBroken} />
      </div>
    </div>
  )
}

/** What a variant has of its own. */
function wordsOf(own: { subject: string | null; body: string | null } | undefined) {
  return { ...(own?.subject ? { subject: own.subject } : {}), ...(own?.body ? { body: own.body } : {}) }
}
