// Access tokens for relays that want OAuth 2.0 instead of a password (Microsoft 365, Gmail). nodemailer renews them, one request for
// all who wait; it is loaded with the first token, so that plain relays pay nothing for it.
import { second } from '../../lib/time'
import type { SmtpOAuth } from './options'

/** `renew`: the one before was refused. Rejects with a sentence that holds no secret. */
export type AccessTokens = (renew: boolean) => Promise<string>

export function accessTokens(oauth: SmtpOAuth): AccessTokens {
  let loaded: ReturnType<typeof makeGenerator> | undefined
  return async renew => {
    loaded ??= makeGenerator(oauth)
    const generator = await loaded
    return await new Promise((resolve, reject) =>
      generator.getToken(renew, (error, token) =>
        error ? reject(new Error(withoutSecrets(error.message, oauth))) : resolve(token),
      ),
    )
  }
}

async function makeGenerator({ user, clientId, clientSecret, refreshToken, tokenUrl }: SmtpOAuth) {
  const { default: XOAuth2 } = await import('nodemailer/lib/xoauth2')
  const options = {
    user,
    clientId,
    clientSecret,
    refreshToken,
    accessUrl: tokenUrl,
    requestTimeout: 30 * second,
  }
  return new XOAuth2(options)
}

function withoutSecrets(text: string, { clientSecret, refreshToken }: SmtpOAuth): string {
  const secrets = [clientSecret, refreshToken].filter(secret => secret !== undefined && secret !== '')
  const masked = secrets.reduce<string>((words, secret) => words.replaceAll(secret!, '***'), text)
  return masked.replace(/[\s\p{Cc}]+/gu, ' ').slice(0, 500)
}
