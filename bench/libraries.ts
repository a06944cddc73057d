// What our own libraries cost per message, compared with those that could replace them, alternating in one process: the ratio is valid on
// a busy machine too. `bun bench/libraries.ts`
import { convert } from 'html-to-text'
import { Liquid } from 'liquidjs'
import MailComposer from 'nodemailer/lib/mail-composer'
import { htmlToText } from '../src/lib/html-text'
import { compileTemplate } from '../src/liquid/template'
import { buildMime } from '../src/mail/mime/message'

const rounds = 15
const scope = { firstName: 'Ada', plan: 'Pro', city: 'Turin' }
const paragraph =
  '<p>Dear {{ firstName }}, your {{ plan }} plan in {{ city }} goes on. <a href="https://a.example/">More</a></p>\n'
const source = `<html><body><h1>Hello {{ firstName }}</h1>\n${paragraph.repeat(150)}</body></html>`
const html = source.replaceAll(/\{\{[^}]*\}\}/g, 'Ada')
function textOf(body: string): string {
  return htmlToText(body, { showsLink: () => true })
}

const mail = {
  from: 'a@a.example',
  fromName: 'Ada',
  to: 'b@b.example',
  toName: 'Bea',
  subject: 'A newsletter that says hello',
  html,
  text: textOf(html),
  headers: {},
  attachments: [],
  messageId: 'one@a.example',
  date: new Date(0),
}

type Work = () => unknown

/** Microseconds per run; the best of several rounds, since other processes can only slow it down. */
async function measure(work: Work, runs: number): Promise<number> {
  const begun = performance.now()
  for (let run = 0; run < runs; run++) await work()
  return ((performance.now() - begun) / runs) * 1_000
}

async function compare(name: string, own: Work, other: Work, runs: number): Promise<void> {
  const best = { own: Number.POSITIVE_INFINITY, other: Number.POSITIVE_INFINITY }
  for (let round = 0; round < rounds; round++) {
    best.own = Math.min(best.own, await measure(own, runs))
    best.other = Math.min(best.other, await measure(other, runs))
  }
  const [a, b] = [Math.round(best.own), Math.round(best.other)]
  console.log(`${name}: ${a} µs, ${b} µs with the library; ratio ${(best.other / best.own).toFixed(1)}`)
}

function composeWithNodemailer(): Promise<unknown> {
  const { from, fromName, to, toName, subject, text, messageId, date } = mail
  const addresses = { from: { name: fromName, address: from }, to: { name: toName, address: to } }
  return new MailComposer({ ...addresses, subject, html, text, messageId, date }).compile().build()
}

const liquid = new Liquid()
const parsed = liquid.parse(source)
const compiled = compileTemplate(source)

console.log(`a body of ${Math.round(html.length / 1_000)} kB with 450 placeholders`)
await compare('MIME, beside nodemailer', () => buildMime(mail), composeWithNodemailer, 20)
await compare(
  'text from HTML, beside html-to-text',
  () => textOf(html),
  () => convert(html),
  5,
)
await compare(
  'a template rendered, beside liquidjs',
  () => compiled.render(scope),
  () => liquid.renderSync(parsed, scope),
  20,
)
// What an attacker would send: the other library's time grows faster than the text.
const hostile = `${'<div>'.repeat(2_000)}text`
await compare(
  'text from 2,000 open elements',
  () => textOf(hostile),
  () => convert(hostile),
  2,
)
