// The settings for a program that only speaks SMTP, or how to make this instance accept mail by SMTP.
import { useQuery } from '@tanstack/react-query'
import { configQuery } from '../../app/session'
import { t } from '../../texts'
import { CodeBlock, CopyValue } from '../../ui/copy'
import { smtpSampleOf, smtpUser } from './samples'

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
