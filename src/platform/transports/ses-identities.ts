// Sender domains at Amazon SES: identities with Easy DKIM. Those that we made carry a tag, and only those are ever taken back: the
// account may serve others too.
import type { GetEmailIdentityCommandOutput } from '@aws-sdk/client-sesv2'
import type { SesClient } from './ses-client'
import { readFault } from './ses-outcome'
import type { SenderIdentities, SenderIdentity } from './transport'

const tag = { Key: 'managed-by', Value: 'waxwing' }
/** Where the tokens lead when SES names no zone. */
const defaultZone = 'dkim.amazonses.com'

export function sesIdentities(client: SesClient): SenderIdentities {
  const find = async (domain: string): Promise<SenderIdentity | undefined> => {
    try {
      return toIdentity(
        await client.manage((ses, bounds) => ses.getEmailIdentity({ EmailIdentity: domain }, bounds)),
      )
    } catch (error) {
      if (isCalled(error, 'NotFoundException')) return undefined
      throw error
    }
  }
  return {
    find,
    async register(domain) {
      try {
        await client.manage((ses, bounds) =>
          ses.createEmailIdentity({ EmailIdentity: domain, Tags: [tag] }, bounds),
        )
      } catch (error) {
        if (!isCalled(error, 'AlreadyExistsException')) throw error
      }
      const identity = await find(domain)
      if (!identity) throw new Error('SES does not know the identity that it has just made')
      return identity
    },
    async restart(domain) {
      const signing = { NextSigningKeyLength: 'RSA_2048_BIT' as const }
      await client.manage((ses, bounds) =>
        ses.putEmailIdentityDkimSigningAttributes(
          { EmailIdentity: domain, SigningAttributesOrigin: 'AWS_SES', SigningAttributes: signing },
          bounds,
        ),
      )
    },
    async stopForwarding(domain) {
      const change = { EmailIdentity: domain, EmailForwardingEnabled: false }
      await client.manage((ses, bounds) => ses.putEmailIdentityFeedbackAttributes(change, bounds))
    },
    async remove(domain) {
      const identity = await find(domain)
      if (!identity?.isOurs) return
      try {
        await client.manage((ses, bounds) => ses.deleteEmailIdentity({ EmailIdentity: domain }, bounds))
      } catch (error) {
        if (!isCalled(error, 'NotFoundException')) throw error
      }
    },
  }
}

function isCalled(error: unknown, name: string): boolean {
  return readFault(error).name === name
}

function toIdentity(output: GetEmailIdentityCommandOutput): SenderIdentity {
  const { DkimAttributes, FeedbackForwardingStatus, Tags } = output
  const status = DkimAttributes?.Status
  return {
    tokens: DkimAttributes?.Tokens ?? [],
    zone: DkimAttributes?.SigningHostedZone ?? defaultZone,
    status: status === 'SUCCESS' ? 'verified' : status === 'FAILED' ? 'failed' : 'pending',
    isKnown: status !== 'TEMPORARY_FAILURE',
    forwardsBounces: FeedbackForwardingStatus === true,
    isOurs: (Tags ?? []).some(({ Key, Value }) => Key === tag.Key && Value === tag.Value),
  }
}
