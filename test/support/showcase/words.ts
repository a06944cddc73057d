// Names, mails and texts that a small company might have: what the showcase is filled with. Nobody in it exists.

const first = [
  'Ada',
  'Ben',
  'Chiara',
  'David',
  'Elif',
  'Farid',
  'Greta',
  'Hana',
  'Ivan',
  'Jonas',
  'Kaya',
  'Lena',
  'Marek',
  'Nora',
  'Omar',
]
const last = [
  'Okafor',
  'Lindqvist',
  'Marino',
  'Novak',
  'Demir',
  'Haddad',
  'Weber',
  'Sato',
  'Petrov',
  'Keller',
  'Yilmaz',
  'Moreau',
]
const cities = ['Lisbon', 'Berlin', 'Lyon', 'Graz', 'Oslo', 'Turin', 'Ghent']
const plans = ['free', 'free', 'free', 'team', 'team', 'business']

export interface Person {
  email: string
  subscribed: boolean
  data: { firstName: string; lastName: string; city: string; plan: string; seats: number; signedUpAt: string }
}

/** The same people each time. */
export function makePeople(count: number, now: Date): Person[] {
  return Array.from({ length: count }, (_, index) => {
    const firstName = first[index % first.length]!
    const lastName = last[(index * 7 + Math.floor(index / first.length)) % last.length]!
    const signedUpAt = new Date(now.getTime() - ((index * 37) % 400) * 86_400_000).toISOString()
    return {
      email: `${firstName}.${lastName}${index >= 60 ? index : ''}@mail.example`.toLowerCase(),
      subscribed: index % 9 !== 0,
      data: {
        firstName,
        lastName,
        city: cities[index % cities.length]!,
        plan: plans[index % plans.length]!,
        seats: (index * 3) % 24,
        signedUpAt,
      },
    }
  })
}

const frame = (title: string, inner: string): string =>
  `<table role="presentation" width="100%" style="font-family:Helvetica,Arial,sans-serif;color:#222"><tr><td align="center" style="padding:24px">
<table role="presentation" width="100%" style="max-width:560px;text-align:left"><tr><td>
<h1 style="font-size:24px;margin:0 0 16px">${title}</h1>${inner}
<p style="margin-top:32px;font-size:12px;color:#777">Fernway GmbH, Lindenstraße 4, Berlin · <a href="{{unsubscribeUrl}}">Unsubscribe</a></p>
</td></tr></table></td></tr></table>`

const button = (text: string, url: string): string =>
  `<p><a href="${url}" style="display:inline-block;padding:12px 20px;background:#23513f;color:#fff;text-decoration:none;border-radius:6px">${text}</a></p>`

export const sender = { from: 'hello@fernway.example', fromName: 'Fernway' }

export const templates = [
  {
    name: 'Receipt',
    type: 'TRANSACTIONAL',
    subject: 'Your receipt {{number}}',
    body: frame(
      'Thank you, {{firstName ?? "friend"}}',
      '<p>We received your payment of <b>{{amount}}</b> for order {{number}}.</p>' +
        button('See the order', 'https://fernway.example/orders/{{number}}'),
    ),
  },
  {
    name: 'Password reset',
    type: 'TRANSACTIONAL',
    subject: 'Set a new password',
    body: frame(
      'A new password',
      `<p>Somebody asked for one. It was you?</p>${button('Set it', 'https://fernway.example/reset')}`,
    ),
  },
  {
    name: 'Welcome',
    type: 'MARKETING',
    subject: 'Welcome to Fernway, {{firstName}}',
    body: frame(
      'Good to have you',
      `<p>Three things to try in your first week.</p>${button('Begin', 'https://fernway.example/start')}`,
    ),
  },
  {
    name: 'Trial ends',
    type: 'MARKETING',
    subject: 'Your trial ends in three days',
    body: frame(
      'Three days left',
      `<p>Keep your boards by choosing a plan.</p>${button('Choose a plan', 'https://fernway.example/plans')}`,
    ),
  },
] as const

interface ShownCampaign {
  name: string
  subject: string
  /** Days before today on which it is sent; null stays a draft, a negative number is scheduled. */
  daysAgo: number | null
  /** Tried beside it on two thirds of the recipients. */
  other?: { subject: string; fromName?: string }
}

export const campaigns: readonly ShownCampaign[] = [
  { name: 'October letter', subject: 'What we planted in October', daysAgo: 27 },
  { name: 'Boards that fill themselves', subject: 'New: boards that fill themselves', daysAgo: 20 },
  { name: 'November letter', subject: 'November: slower, better', daysAgo: 12 },
  {
    ...{ name: 'Black Friday, quietly', subject: 'A quiet offer', daysAgo: 3 },
    other: { subject: 'Half price until Sunday, and no countdown' },
  },
  { name: 'December letter', subject: 'December at Fernway', daysAgo: -6 },
  {
    ...{ name: 'Year in review', subject: 'Your year in boards', daysAgo: null },
    other: { subject: '{{firstName ?? "Hello"}}, this was your year', fromName: 'Ada from Fernway' },
  },
]

export const letterBody = (subject: string): string =>
  frame(
    subject,
    `<p>Hello {{firstName ?? "there"}},</p><p>this month we made the things you use every day a little quieter. Here is what changed and why.</p>
${button('Read on', 'https://fernway.example/letter')}<p>And <a href="https://fernway.example/roadmap">what comes next</a>.</p>`,
  )

export const eventNames = ['board.created', 'order.placed', 'trial.started', 'invite.sent', 'plan.upgraded']
