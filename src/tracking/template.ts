// Tracking for many messages of one template: links are replaced in the template, once. What differs between recipients is one variable
// in every tracked link; links that are personal themselves are marked, and replaced in each rendering. Only links that the author wrote
// are tracked, not what comes from a contact's data. Pure.
import { maxPieces } from '../liquid/amount'
import { maxSourceLength } from '../liquid/engine'
import { scanTemplate } from '../liquid/scan'
import type { Scope } from '../liquid/template'
import { type Fences, fenceLinks, hasMarks, withoutNumber } from './authored'
import { trackedUrl } from './links'
import { addMarks, clickUrl, type TrackingTools } from './message'
import { ownToken, recipientPart, sharedPart, type TrackingTokenKind } from './token'

export interface TemplateGroup {
  projectId: string
  /** What the messages have in common: their campaign. */
  groupId: string
}

export interface TrackedTemplate {
  /** The template with its links replaced. */
  document: string
  /** Adds to the scope what the links of this message need; called before rendering. */
  prepare(scope: Scope, emailId: string): Scope
  /** Replaces the links that are personal; called after rendering. */
  finish(pieces: readonly string[], emailId: string): readonly string[]
}

/** The variable that names the message in shared links. */
const variable = 'svc_tracking'

/** Undefined for a template that can't be tracked without changing what it renders: it is sent as it is. */
export function trackTemplate(
  tools: TrackingTools,
  group: TemplateGroup,
  document: string,
): TrackedTemplate | undefined {
  if (hasMarks(document)) return undefined
  const share = (kind: TrackingTokenKind, url?: string): string =>
    `${sharedPart(tools.vault, group, kind, url)}.{{${variable}}}`
  let shared = 0
  const template = fenceLinks(document, fenceSecret(tools, group), {
    replaceWhole: raw => {
      const url = trackedUrl(raw, tools.baseUrl)
      if (url === undefined) return undefined
      shared++
      return clickUrl(tools.baseUrl, share('link', url))
    },
    finish: (html, personal) =>
      addMarks(html, tools.baseUrl, {
        open: share('open'),
        trap: shared + personal > 0 ? share('trap') : undefined,
      }),
  })
  const pieceCount = scanTemplate(document).length + shared + 2
  if (template.document.length > maxSourceLength || pieceCount > maxPieces) return undefined
  return {
    document: template.document,
    prepare: (scope, emailId) =>
      Object.assign(Object.create(null), scope, {
        [variable]: recipientPart(tools.vault, { ...group, emailId }),
      }),
    finish: (pieces, emailId) =>
      template.fenced === 0
        ? pieces
        : replaceFenced(pieces, template.fences, text => {
            const raw = template.linkBetween(text)
            const href = raw === undefined ? undefined : personalHref(tools, { ...group, emailId }, raw)
            return href ?? withoutNumber(text).replaceAll('"', '&quot;')
          }),
  }
}

/** Signed, so that a value of a contact can't pose as a link of the author. */
function fenceSecret({ vault }: TrackingTools, { projectId, groupId }: TemplateGroup): string {
  return vault.sign('tracking-fence', `${projectId}/${groupId}`)
}

/** Undefined for a link that is not to be tracked. */
function personalHref(
  tools: TrackingTools,
  message: TemplateGroup & { emailId: string },
  raw: string,
): string | undefined {
  const url = trackedUrl(raw, tools.baseUrl)
  return url === undefined ? undefined : clickUrl(tools.baseUrl, ownToken(tools.vault, message, 'link', url))
}

/** Joins the pieces between fences and replaces them; all other pieces stay the identical strings. */
function replaceFenced(
  pieces: readonly string[],
  { start, end }: Fences,
  replace: (text: string) => string,
): string[] {
  const out: string[] = []
  let inside: string | undefined
  for (let piece of pieces) {
    for (;;) {
      const fence: string = inside === undefined ? start : end
      const at = piece.indexOf(fence)
      const text = at === -1 ? piece : piece.slice(0, at)
      if (inside !== undefined) inside += text
      else if (text !== '') out.push(text)
      if (at === -1) break
      if (inside === undefined) inside = ''
      else {
        out.push(replace(inside))
        inside = undefined
      }
      piece = piece.slice(at + fence.length)
    }
  }
  if (inside !== undefined) out.push(inside)
  return out
}
