// Signing in with an account elsewhere, if the instance offers that.
import { useSuspenseQuery } from '@tanstack/react-query'
import { pageAddress, pathOfPage } from '../../app/page-address'
import { configQuery } from '../../app/session'
import { t } from '../../texts'
import { buttonClass } from '../../ui/button'

interface ProvidersProps {
  /** The page to show then. */
  next?: string
}

export function Providers({ next = '/' }: ProvidersProps) {
  const { authProviders } = useSuspenseQuery(configQuery).data.features
  const { github, google, oidc } = authProviders
  const names = { github: github && 'GitHub', google: google && 'Google', oidc: oidc?.label }
  const offered = Object.entries(names).filter(([, name]) => name)
  if (offered.length === 0) return null
  const query = `?next=${encodeURIComponent(pathOfPage(pageAddress.projectId, next))}`
  return (
    <div className="space-y-3">
      <p className="flex items-center gap-3 text-xs text-quiet before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {t.words.or}
      </p>
      {offered.map(([provider, name]) => (
        <a
          key={provider}
          href={`${pageAddress.origin}/oauth/${provider}/outbound${query}`}
          className={buttonClass('plain', 'w-full')}
        >
          {t.account.signInWith(String(name))}
        </a>
      ))}
    </div>
  )
}
