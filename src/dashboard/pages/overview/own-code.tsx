// The first request from one's own program, in one's own language, with the key of this project in it.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { domainsQuery } from '../../api/domains'
import { place } from '../../app/place'
import { useProject } from '../../app/session'
import { t } from '../../texts'
import { CodeBlock } from '../../ui/copy'
import { Card } from '../../ui/page'
import { Tabs } from '../../ui/tabs'
import { type SampleLanguage, sampleLanguages, sampleOf } from './samples'

export function OwnCode() {
  const project = useProject()
  const { data: domains = [] } = useQuery(domainsQuery(project.id))
  const [language, setLanguage] = useState<SampleLanguage>('curl')
  const domain = domains.find(each => each.verified)?.domain ?? 'your-domain.com'
  const key = project.secret ?? 'sk_...'
  const code = sampleOf(language, { url: `${place.origin}/v1/send`, key, from: `hello@${domain}` })
  return (
    <Card title={t.overview.code} description={t.overview.codeHint}>
      <Tabs label={t.overview.code} tabs={sampleLanguages} value={language} onChange={setLanguage}>
        <CodeBlock code={code} />
      </Tabs>
    </Card>
  )
}
