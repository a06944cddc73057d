// What a campaign is for one recipient. Sending, previewing and showing a sent message again all go through here. Pure.
import type { Vault } from '../../../../lib/vault'
import type { TemplateCache } from '../../../../liquid/cache'
import { variablesOf } from '../../../../liquid/template'
import {
  type BulkContent,
  type BulkRenderer,
  type ContentSource,
  hasFooter,
  listLinks,
  type MailClass,
  mailClassOf,
  renderContent,
  type SourceType,
  sourceTypeOf,
} from '../../../sending/emails'
import { marketingFooter } from '../../../sending/preferences'
import { buildScope, type TemplateType } from '../../../sending/templates'

export interface CampaignMessage {
  projectId: string
  subject: string
  body: string
  type: TemplateType
}

export interface CampaignProject {
  name: string
  language: string
}

export interface CampaignRecipient {
  contactId: string
  email: string
  subscribed: boolean
  /** The contact's data, or as much of it as `keptVariables` kept. */
  data: Record<string, unknown>
  /** Of a test, which is in no ledger. */
  browserUrl?: string
}

export interface ComposeTools {
  /** Makes the content; `ordinaryRenderer` where there is one recipient only. */
  render: BulkRenderer
  vault: Vault
  baseUrl: string
}

export function classOf(type: TemplateType): { sourceType: SourceType; mailClass: MailClass } {
  const sourceType = sourceTypeOf('campaign', type)
  return { sourceType, mailClass: mailClassOf(type, sourceType) }
}

/** Subject, HTML and text as this recipient gets them, under the id that the message has. */
export function composeForRecipient(
  { render, vault, baseUrl }: ComposeTools,
  campaign: CampaignMessage,
  project: CampaignProject,
  recipient: CampaignRecipient,
  emailId: string,
): BulkContent {
  const { contactId, email, subscribed, data, browserUrl } = recipient
  const own = listLinks(vault, baseUrl, { projectId: campaign.projectId, contactId }, emailId)
  const links = browserUrl === undefined ? own : { ...own, browserUrl }
  const scope = buildScope({ contact: { id: contactId, email, subscribed, data }, links })
  const footer = hasFooter(classOf(campaign.type).mailClass)
    ? marketingFooter({
        projectName: project.name,
        language: project.language,
        locale: data['locale'],
        unsubscribeUrl: links.unsubscribeUrl,
      })
    : undefined
  return render(scope, footer, emailId)
}

/** Renders each message by itself. */
export function ordinaryRenderer(cache: TemplateCache, source: ContentSource): BulkRenderer {
  return (scope, footer) => ({ ...renderContent(cache, source, scope, footer), encoded: {} })
}

export type KeepVariables = (recipient: CampaignRecipient) => Record<string, unknown>

/**
 * Picks from a contact's data what the message reads, so that it can be shown again as it was: its row carries no body. A message
 * that reads `data` as a whole needs all of it.
 */
export function keptVariables({ subject, body }: Pick<CampaignMessage, 'subject' | 'body'>): KeepVariables {
  const names = new Set([...variablesOf(subject), ...variablesOf(body), 'locale'])
  const isRead = (key: string): boolean => names.has(key) || names.has(key.split('.', 1)[0]!)
  const readsStanding = isRead('subscribed') || names.has('data')
  return recipient => {
    const { data } = recipient
    const kept = names.has('data')
      ? data
      : Object.fromEntries(Object.entries(data).filter(([key]) => isRead(key)))
    return readsStanding && standingIn(data) !== recipient.subscribed
      ? { ...kept, subscribed: recipient.subscribed }
      : kept
  }
}

/** Whether the contact was subscribed, according to what is kept of its data: nothing is kept for the usual case. */
export function standingIn(kept: Record<string, unknown>): boolean {
  return kept['subscribed'] !== false
}
