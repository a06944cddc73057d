// The links of a message, and how often people followed each.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { t } from '../../texts'
import { Badge } from '../../ui/badge'
import { Card } from '../../ui/page'
import { messageEventsQuery, type WholeMail } from './data'

export function Links({ mail }: { mail: WholeMail }) {
  const { data } = useQuery(messageEventsQuery(mail.id))
  const links = useMemo(() => linksOf(mail.body), [mail.body])
  const clicked = (data?.events ?? []).flatMap(({ name, data }) =>
    name === 'email.click' ? [data?.['link']] : [],
  )
  const timesOf = (link: string): number => clicked.filter(each => each === link).length
  return (
    <Card title={t.words.links}>
      {links.length === 0 && <p className="text-quiet">{t.messages.noLinks}</p>}
      <ul className="divide-y divide-line">
        {links.map(({ href, text }) => (
          <li key={href} className="flex items-center justify-between gap-3 py-2.5">
            <div className="min-w-0">
              {text && <p className="truncate font-medium">{text}</p>}
              <a
                href={href}
                target="_blank"
                rel="noopener noreferrer"
                className="block truncate text-quiet underline decoration-edge underline-offset-2 hover:text-ink"
              >
                {href}
              </a>
            </div>
            <Badge tone={timesOf(href) > 0 ? 'accent' : 'neutral'}>{t.messages.clicks(timesOf(href))}</Badge>
          </li>
        ))}
      </ul>
    </Card>
  )
}

interface MailLink {
  href: string
  text: string
}

/** The links, each address once. A document that is only parsed loads and runs nothing. */
function linksOf(html: string): MailLink[] {
  const found = new Map<string, MailLink>()
  for (const link of new DOMParser()
    .parseFromString(withoutStyles(html), 'text/html')
    .querySelectorAll('a[href]')) {
    const href = link.getAttribute('href')?.trim() ?? ''
    if (/^(https?|mailto):/i.test(href) && !found.has(href))
      found.set(href, { href, text: link.textContent?.trim() ?? '' })
  }
  return [...found.values()]
}

/**
 * The page's Content-Security-Policy allows no inline styles, and a browser complains about each, though nothing is drawn. A style that is
 * never closed takes all that follows with it.
 */
function withoutStyles(html: string): string {
  const [before, ...parts] = html.split(/<style/i)
  const behind = parts.map(part =>
    part
      .split(/<\/style>/i)
      .slice(1)
      .join(''),
  )
  return [before, ...behind].join('').replaceAll(/\sstyle\s*=\s*("[^"]*"|'[^']*')/gi, '')
}
