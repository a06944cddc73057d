// The guides of docs/, which the program carries as files and reads when somebody asks. Left out are those for people who change the program:
// docs/decisions.md. `README.md` is the overview.

import accounts from '../../../docs/accounts.md' with { type: 'file' }
import backup from '../../../docs/backup.md' with { type: 'file' }
import benchmarks from '../../../docs/benchmarks.md' with { type: 'file' }
import billing from '../../../docs/billing.md' with { type: 'file' }
import campaigns from '../../../docs/campaigns.md' with { type: 'file' }
import comparison from '../../../docs/comparison.md' with { type: 'file' }
import contacts from '../../../docs/contacts.md' with { type: 'file' }
import domains from '../../../docs/domains.md' with { type: 'file' }
import errors from '../../../docs/errors.md' with { type: 'file' }
import events from '../../../docs/events.md' with { type: 'file' }
import feedback from '../../../docs/feedback.md' with { type: 'file' }
import forms from '../../../docs/forms.md' with { type: 'file' }
import gettingStarted from '../../../docs/getting-started.md' with { type: 'file' }
import hostedPages from '../../../docs/hosted-pages.md' with { type: 'file' }
import importing from '../../../docs/import.md' with { type: 'file' }
import keys from '../../../docs/keys.md' with { type: 'file' }
import mcp from '../../../docs/mcp.md' with { type: 'file' }
import monitoring from '../../../docs/monitoring.md' with { type: 'file' }
import overview from '../../../docs/README.md' with { type: 'file' }
import reliability from '../../../docs/reliability.md' with { type: 'file' }
import retention from '../../../docs/retention.md' with { type: 'file' }
import scaling from '../../../docs/scaling.md' with { type: 'file' }
import segments from '../../../docs/segments.md' with { type: 'file' }
import selfHosting from '../../../docs/self-hosting.md' with { type: 'file' }
import sending from '../../../docs/sending.md' with { type: 'file' }
import submission from '../../../docs/submission.md' with { type: 'file' }
import templates from '../../../docs/templates.md' with { type: 'file' }
import testing from '../../../docs/testing.md' with { type: 'file' }
import threats from '../../../docs/threats.md' with { type: 'file' }
import tracking from '../../../docs/tracking.md' with { type: 'file' }
import transports from '../../../docs/transports.md' with { type: 'file' }
import upgrade from '../../../docs/upgrade.md' with { type: 'file' }
import webhooks from '../../../docs/webhooks.md' with { type: 'file' }
import workflows from '../../../docs/workflows.md' with { type: 'file' }

const files: Readonly<Record<string, string>> = {
  README: overview,
  accounts,
  backup,
  benchmarks,
  billing,
  campaigns,
  comparison,
  contacts,
  domains,
  errors,
  events,
  feedback,
  forms,
  'getting-started': gettingStarted,
  'hosted-pages': hostedPages,
  import: importing,
  keys,
  mcp,
  monitoring,
  reliability,
  retention,
  scaling,
  segments,
  'self-hosting': selfHosting,
  sending,
  submission,
  templates,
  testing,
  threats,
  tracking,
  transports,
  upgrade,
  webhooks,
  workflows,
}

/** Without the overview. */
export const guideNames: readonly string[] = Object.keys(files).filter(name => name !== 'README')

/** The Markdown of a guide; undefined if there is none of that name. */
export async function readGuide(name: string): Promise<string | undefined> {
  const path = Object.hasOwn(files, name) ? files[name] : undefined
  return path === undefined ? undefined : await Bun.file(path).text()
}
