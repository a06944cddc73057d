// Sample mails to begin with. Not part of the catalogue, because they are loaded only where somebody writes.
import {
  button,
  columns,
  divider,
  footer,
  heading,
  list,
  mail,
  paragraph,
  quote,
  spacer,
} from '../../editor/mail/build'
import type { MailDocument } from '../../editor/mail/document'

export interface Sample {
  id: string
  name: string
  hint: string
  type: 'MARKETING' | 'TRANSACTIONAL'
  subject: string
  document: MailDocument
}

export const address = 'Your company · 1 Example Street · 12345 Town'
const below = footer(address)
const hello = paragraph('Hello {{firstName ?? "there"}},')
const site = 'https://example.com'

export const mayStay: readonly string[] = [
  'Good to have you',
  'Read on',
  'Begin',
  'See you soon',
  'See it',
  'Why we made it',
  'You are invited',
  'When',
  'Where',
  'I am coming',
  'Can you not make it?',
  'Tell us',
  'Go to the shop',
  'New',
  'Better',
  'All changes',
  'Ask us anything.',
  'It takes a minute.',
  'Just answer this mail.',
  'Questions? Just answer this mail.',
]

export const samples: readonly Sample[] = [
  {
    id: 'blank',
    name: 'Blank',
    hint: 'An empty sheet with your address below',
    type: 'MARKETING',
    subject: 'A word from us',
    document: mail('', [heading('A heading'), paragraph('Your first words.'), divider, below]),
  },
  {
    id: 'newsletter',
    name: 'Newsletter',
    hint: 'A few stories, with a way to each',
    type: 'MARKETING',
    subject: 'What happened this month',
    document: mail('Three stories, five minutes', [
      heading('What happened this month'),
      hello,
      paragraph('three things are worth your time today. Here they are, in short.'),
      divider,
      heading('The first story', 2),
      paragraph('Say in two sentences what is new and why somebody should care. Then lead them on.'),
      button('Read the story', `${site}/first`),
      spacer(16),
      columns(
        [heading('The second', 3), paragraph(`Something short. [Read on](${site}/second)`)],
        [heading('The third', 3), paragraph(`Something shorter. [Read on](${site}/third)`)],
      ),
      divider,
      below,
    ]),
  },
  {
    id: 'welcome',
    name: 'Welcome',
    hint: 'The first mail after somebody signs up',
    type: 'MARKETING',
    subject: 'Welcome, {{firstName ?? "and hello"}}',
    document: mail('Three things to try first', [
      heading('Good to have you'),
      hello,
      paragraph('thank you for joining us. Three things to try in your first week:'),
      list(
        '**Make something.** It takes a minute.',
        '**Invite a colleague.** It is more fun with two.',
        '**Ask us anything.** Just answer this mail.',
      ),
      button('Begin', `${site}/start`),
      paragraph('See you soon'),
      divider,
      below,
    ]),
  },
  {
    id: 'announcement',
    name: 'Announcement',
    hint: 'One thing that is new',
    type: 'MARKETING',
    subject: 'New: say what it is',
    document: mail(
      'What it is, in half a sentence',
      [
        heading('Say what is new', 1, { align: 'center' }),
        paragraph('One sentence about what people can do now that they could not do yesterday.', {
          align: 'center',
        }),
        button('See it', `${site}/new`, { align: 'center' }),
        spacer(8),
        divider,
        heading('Why we made it', 3),
        paragraph('Two or three sentences about the reason. Short is good.'),
        below,
      ],
      { accent: '#1f6b4a' },
    ),
  },
  {
    id: 'event',
    name: 'Invitation',
    hint: 'A date, a place and an answer',
    type: 'MARKETING',
    subject: 'You are invited',
    document: mail('Thursday at seven, in town', [
      heading('You are invited'),
      hello,
      paragraph('we would be glad to see you at our evening.'),
      columns(
        [heading('When', 3), paragraph('Thursday, 12 March, 7 p.m.')],
        [heading('Where', 3), paragraph('1 Example Street, Town')],
      ),
      button('I am coming', `${site}/event`),
      paragraph(`Can you not make it? [Tell us](${site}/event/no), and somebody else gets your seat.`),
      divider,
      below,
    ]),
  },
  {
    id: 'offer',
    name: 'Offer',
    hint: 'One price, one button, one end',
    type: 'MARKETING',
    subject: 'Until Sunday: a quiet offer',
    document: mail(
      'Until Sunday',
      [
        heading('A quiet offer', 1, { align: 'center' }),
        paragraph('Until Sunday you get **a fifth off** everything in our shop.', { align: 'center' }),
        button('Go to the shop', `${site}/shop`, { align: 'center', color: '#8a3b12' }),
        spacer(8),
        paragraph('The discount applies automatically. It cannot be combined with other offers.', {
          align: 'center',
        }),
        divider,
        below,
      ],
      { accent: '#8a3b12', background: '#f6f1ec', font: 'serif' },
    ),
  },
  {
    id: 'digest',
    name: 'Product update',
    hint: 'What changed, as a list',
    type: 'MARKETING',
    subject: 'What changed in March',
    document: mail('Faster lists, quieter mails', [
      heading('What changed in March'),
      heading('New', 3),
      list('Lists open twice as fast.', 'Mails can be written in blocks.'),
      heading('Better', 3),
      list('Search finds parts of words.', 'Dark screens get dark pages.'),
      quote('“The search alone saves me ten minutes a day.” Ada, who tried it first'),
      button('All changes', `${site}/changes`),
      divider,
      below,
    ]),
  },
  {
    id: 'receipt',
    name: 'Receipt',
    hint: 'After a payment, by your program',
    type: 'TRANSACTIONAL',
    subject: 'Your receipt {{number}}',
    document: mail('Thank you for your payment', [
      heading('Thank you, {{firstName ?? "friend"}}'),
      paragraph('We received your payment of **{{amount}}** for order {{number}}.'),
      divider,
      columns([paragraph('Order {{number}}')], [paragraph('{{amount}}', { align: 'right' })]),
      divider,
      button('See the order', `${site}/orders/{{number}}`),
      below,
    ]),
  },
  {
    id: 'reset',
    name: 'New password',
    hint: 'A link that somebody asked for',
    type: 'TRANSACTIONAL',
    subject: 'Set a new password',
    document: mail('The link is good for an hour', [
      heading('Set a new password'),
      paragraph('Somebody, hopefully you, asked for a new password. The link is good for an hour.'),
      button('Set it', '{{resetUrl}}'),
      paragraph('It was not you? Then there is nothing to do.'),
      below,
    ]),
  },
  {
    id: 'trial',
    name: 'Trial ends',
    hint: 'A reminder in time, with a way on',
    type: 'MARKETING',
    subject: 'Your trial ends in three days',
    document: mail('Keep what you have made', [
      heading('Three days left'),
      hello,
      paragraph('your trial ends on Friday. Keep everything you have made by choosing a plan.'),
      columns(
        [heading('Team', 3), paragraph('€ 9 a month'), button('Choose Team', `${site}/plans/team`)],
        [
          heading('Business', 3),
          paragraph('€ 29 a month'),
          button('Choose Business', `${site}/plans/business`),
        ],
      ),
      divider,
      paragraph('Questions? Just answer this mail.'),
      below,
    ]),
  },
]
