// The format of RECIPIENT_RATES and RECIPIENT_CONNECTIONS: how many messages a second, or at a time, may go to a receiver of mail. Pure.
import { canonicalDomain } from '../lib/domain-name'
import { receiverNames } from '../platform/mail/receivers'
import { accept, type Format, format, reject } from './formats'

/** By the name of a receiver, by a domain, or by that of the hosts which receive for it: a number of messages. */
type ByReceiver = Readonly<Record<string, number>>

const maxRates = 100

export const byReceiver: Format<ByReceiver> = format(
  `comma-separated numbers such as "gmail=20,example.org=1" (${receiverNames.join(', ')} stand for all their domains)`,
  text => {
    const pairs = text.split(',').map(readPair)
    const known = pairs.filter(pair => pair !== undefined)
    if (known.length < pairs.length || known.length > maxRates) return reject()
    const rates = Object.fromEntries(known)
    return Object.keys(rates).length === known.length ? accept(rates) : reject('one is named twice')
  },
)

function readPair(text: string): [name: string, rate: number] | undefined {
  const match = /^([^=]+)=(\d{1,6})$/.exec(text.trim())
  const given = (match?.[1] ?? '').trim().toLowerCase()
  const name = receiverNames.includes(given) ? given : canonicalDomain(given)
  const rate = Number(match?.[2])
  return name !== undefined && rate > 0 ? [name, rate] : undefined
}
