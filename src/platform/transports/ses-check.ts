// What `doctor` wants to know about an SES account: whether it may send, how much, to whom, and whether its configuration set is there.
import type { GetAccountCommandOutput } from '@aws-sdk/client-sesv2'
import type { SesClient } from './ses-client'
import { describeFault, readFault } from './ses-outcome'

interface Checked {
  region: string
  configurationSet?: string
}

/** One line per finding; throws with all that is wrong where mail could not leave. */
export async function checkSes(client: SesClient, { region, configurationSet }: Checked): Promise<string> {
  const account = await asked('the account', () => client.manage((ses, bounds) => ses.getAccount({}, bounds)))
  const lines = [`ses: ${region}`, ...describeAccount(account)]
  if (account.SendingEnabled === false)
    throw new Error([...lines, 'sending is switched off for this account'].join('\n'))
  lines.push(await describeSet(client, configurationSet))
  return lines.join('\n')
}

function describeAccount({
  SendQuota,
  ProductionAccessEnabled,
  EnforcementStatus,
}: GetAccountCommandOutput): string[] {
  const { MaxSendRate = 0, Max24HourSend = 0, SentLast24Hours = 0 } = SendQuota ?? {}
  const allowance = Max24HourSend < 0 ? 'without limit' : `${SentLast24Hours} of ${Max24HourSend}`
  return [
    `quota: ${MaxSendRate} messages a second, ${allowance} in 24 hours`,
    ProductionAccessEnabled
      ? 'production access'
      : 'SANDBOX: mail reaches verified addresses only; ask AWS for production access',
    ...(EnforcementStatus && EnforcementStatus !== 'HEALTHY'
      ? [`AWS says the account is ${EnforcementStatus}`]
      : []),
  ]
}

async function describeSet(client: SesClient, name: string | undefined): Promise<string> {
  if (name === undefined)
    return 'no configuration set: deliveries, bounces and complaints are not reported (SES_CONFIGURATION_SET)'
  const set = await asked(`configuration set ${name}`, () =>
    client.manage((ses, bounds) => ses.getConfigurationSet({ ConfigurationSetName: name }, bounds)),
  )
  if (set.SendingOptions?.SendingEnabled === false)
    throw new Error(`configuration set ${name}: sending is switched off`)
  return `configuration set: ${name}`
}

async function asked<T>(what: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    throw new Error(`${what}: ${describeFault(readFault(error))}`, { cause: error })
  }
}
