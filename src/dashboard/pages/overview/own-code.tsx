// The first request from the reader's own program, in a language of their choice, with the key of this project.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { domainsQuery } from '../../api/domains'
import { pageAddress } from '../../app/page-address'
import { configQuery, useProject } from '../../app/session'
import { t } from '../../texts'
import { CodeBlock, CopyValue } from '../../ui/copy'
import { Card } from '../../ui/page'
import { Tabs } from '../../ui/tabs'
import { type SampleLanguage, sampleLanguages, sampleOf, smtpSampleOf, smtpUser } from './samples'

const tabs = [...sampleLanguages, { name: 'smtp', label: 'SMTP' }] as const

export function OwnCode() {
  const project = useProject()
  const { data: domains = [] } = useQuery(domainsQuery(project.id))
  const [tab, setTab] = useState<SampleLanguage | 'smtp'>('curl')
  const domain = domains.find(each => each.verified)?.domain ?? 'your-domain.com'
  const sending = { key: project.secret ?? 'sk_...', from: `hello@${domain}` }
  return (
    <Card title={t.overview.code} description={t.overview.codeHint}>
      <Tabs label={t.overview.code} tabs={tabs} value={tab} onChange={setTab}>
        {tab === 'smtp' ? (
          <SmtpSample secret={sending.key} from={sending.from} />
        ) : (
          <CodeBlock code={sampleOf(tab, { url: `${pageAddress.origin}/v1/send`, ...sending })} />
        )}
      </Tabs>
    </Card>
  )
}

/** The settings for a program that only speaks SMTP, or how to make this instance accept mail by SMTP. */
export function SmtpSample({ secret, from }: { secret: string; from: string }) {
  const { data } = useQuery(configQuery)
  if (!data) return null
  const { domain, ports } = data.features.smtp
  const { smtp } = t.overview
  if (!domain || !ports)
    return (
      <p className="text-quiet">
        {smtp.off} <CopyValue value="SMTP_LISTEN=587,465" />
      </p>
    )
  const { secure, submission } = ports
  const [port, isSecure] = submission === null ? [secure!, true] : [submission, false]
  const facts = [
    [smtp.server, domain],
    [isSecure ? smtp.portTls : smtp.portStartTls, String(port)],
    [smtp.user, smtpUser],
    [t.words.password, secret],
  ] as const
  return (
    <div className="space-y-4">
      <dl className="grid gap-x-4 sm:grid-cols-[auto_minmax(0,1fr)] sm:items-center">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-quiet">{name}</dt>
            <dd className="min-w-0">
              <CopyValue value={value} />
            </dd>
          </div>
        ))}
      </dl>
      <CodeBlock code={smtpSampleOf({ host: domain, port, isSecure, key: secret, from })} />
    </div>
  )
}
