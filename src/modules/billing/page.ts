// The page for people who come back from the provider's pages. It shows what is stored about the project; the address only decides the
// wording, because the confirmation may arrive later than the person. Pure.
import { escapeHtml } from '../../lib/escape'
import { pageDocument } from '../../lib/hosted-page'
import type { CheckoutOutcome } from './return-link'

export interface Subscriber {
  name: string
  isSubscribed: boolean
}

const again = '<p><a href="">Look again</a></p>'

export function renderReturn({ name, isSubscribed }: Subscriber, outcome: CheckoutOutcome): string {
  const project = `The project <bdi>${escapeHtml(name)}</bdi>`
  if (isSubscribed)
    return page('The subscription is active', `<p>${project} is subscribed. You can close this page.</p>`)
  if (outcome === 'success')
    return page(
      'Waiting for the confirmation',
      `<p>${project} is not subscribed yet. The payment provider has to confirm it, which usually takes less than a minute.</p>${again}`,
    )
  return page('No subscription', `<p>${project} is not subscribed. You can close this page.</p>`)
}

export function renderDeadReturn(): string {
  return page('This link is not valid', '<p>It may be incomplete, or the project is gone.</p>')
}

function page(title: string, body: string): string {
  return pageDocument(title, `<h1>${title}</h1>${body}`)
}
