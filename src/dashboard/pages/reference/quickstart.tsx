// The first request from the reader's own code, in a language of their choice. The key is a placeholder: nobody has asked to see one.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { domainsQuery } from '../../api/domains'
import { pageAddress } from '../../app/page-address'
import { configQuery, useProject } from '../../app/session'
import { t } from '../../texts'
import { ButtonLink } from '../../ui/button'
import { CodeBlock, CopyValue } from '../../ui/copy'
import { Card, Page } from '../../ui/page'
import { Tabs } from '../../ui/tabs'
import { type SampleLanguage, sampleLanguages, sampleOf, smtpSampleOf, smtpUser } from './samples'

const tabs = [...sampleLanguages, { name: 'smtp', label: 'SMTP' }] as const

/** What the reader replaces by a key. */
const key = 'sk_...'

export function Quickstart() {
  const project = useProject()
  const { data: domains = [] } = useQuery(domainsQuery(project.id))
  const [tab, setTab] = useState<SampleLanguage | 'smtp'>('curl')
  const domain = domains.find(each => each.verified)?.domain ?? 'your-domain.com'
  const from = `hello@${domain}`
  const words = t.reference.firstRequest
  return (
    <Page
      title={t.reference.quickstart}
      description={words.hint}
      actions={<ButtonLink to="/settings/keys">{t.settings.tabs.keys}</ButtonLink>}
    >
      <Card title={words.title} description={words.keyHint(key)}>
        <Tabs label={words.title} tabs={tabs} value={tab} onChange={setTab}>
          {tab === 'smtp' ? (
            <SmtpSample from={from} />
          ) : (
            <CodeBlock code={sampleOf(tab, { url: `${pageAddress.origin}/v1/send`, key, from })} />
          )}
        </Tabs>
      </Card>
    </Page>
  )
}

/** The settings for a program that only speaks SMTP, or how to make this instance accept mail by SMTP. */
function SmtpSample({ from }: { from: string }) {
  const { data } = useQuery(configQuery)
  if (!data) return null
  const { domain, ports } = data.features.smtp
  const { smtp } = t.reference
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
    [t.words.password, key],
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
      <CodeBlock code={smtpSampleOf({ host: domain, port, isSecure, key, from })} />
    </div>
  )
}
