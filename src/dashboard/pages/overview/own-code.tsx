// The first request from the reader's own program, in a language of their choice, with the key of this project.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { domainsQuery } from '../../api/domains'
import { pageAddress } from '../../app/page-address'
import { useProject } from '../../app/session'
import { t } from '../../texts'
import { CodeBlock } from '../../ui/copy'
import { Card } from '../../ui/page'
import { Tabs } from '../../ui/tabs'
import { type SampleLanguage, sampleLanguages, sampleOf } from './samples'
import { SmtpSample } from './smtp-sample'

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
