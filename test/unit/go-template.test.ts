// Placeholders of listmonk as Liquid: what means the same, and what is refused with its line.
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type GoContext, translateGo } from '../../src/cli/import/go-template'
import { compileTemplate } from '../../src/liquid/template'

const words = { 'email.unsub': 'Unsubscribe' }
const body: GoContext = { kind: 'body', words, campaign: { name: 'Spring', subject: 'Tea & more' } }

describe('what means the same', () => {
  test.each<[given: string, becomes: string]>([
    ['Hi {{ .Subscriber.FirstName }}!', 'Hi {{ firstName }}!'],
    ['{{.Subscriber.Email}}', '{{ email }}'],
    ['{{ .Subscriber.Name }} {{ .Subscriber.LastName }}', '{{ name }} {{ lastName }}'],
    ['{{ .Subscriber.Attribs.city }}', '{{ city }}'],
    ['{{ .Subscriber.Attribs.home.city }}', '{{ home.city }}'],
    ['{{ index .Subscriber.Attribs "favourite tea" }}', '{{ data["favourite tea"] }}'],
    ['<a href="{{ UnsubscribeURL }}">', '<a href="{{ unsubscribeUrl }}">'],
    ['<a href="{{ UnsubscribeURL . }}">', '<a href="{{ unsubscribeUrl }}">'],
    ['{{ ManageURL }} {{ MessageURL }}', '{{ manageUrl }} {{ browserUrl }}'],
    ['<p>{{ TrackView }}</p>', '<p></p>'],
    ['<a href="{{ TrackLink "https://x.test/?a=1&b=2" }}">', '<a href="https://x.test/?a=1&b=2">'],
    ['<a href="{{ TrackLink `https://x.test/` . }}">', '<a href="https://x.test/">'],
    ['<a href="https://x.test/@TrackLink">', '<a href="https://x.test/">'],
    [
      '<a href="https://x.test/?e={{ .Subscriber.Email }}">',
      '<a href="https://x.test/?e={{ email | url_encode }}">',
    ],
    ['write @TrackLink after it', 'write @TrackLink after it'],
    ['{{ L.T "email.unsub" }}', 'Unsubscribe'],
    ['{{ Safe "<!--[if mso]>" }}', '<!--[if mso]>'],
    ['{{ .Campaign.Subject }} / {{ .Campaign.Name }}', 'Tea &amp; more / Spring'],
    ['a {{- .Subscriber.Name -}} b', 'a {{- name -}} b'],
    ['a {{- /* nothing }} of it */ -}} b', 'a {{- "" -}} b'],
    ['{{/* a comment */}}b', 'b'],
    ['{{ "a }} < b" }}', 'a }} &lt; b'],
    ['100{% off', '100{{ "{%" }} off'],
    ['not closed {{ .Subscriber', 'not closed {{ .Subscriber'],
  ])('%j is %j', (given, becomes) => {
    expect(translateGo(given, body)).toEqual({ text: becomes, faults: [] })
  })

  test('in a subject nothing is escaped; in a layout the content has its place, and the title says nothing', () => {
    expect(translateGo('Hi {{ .Subscriber.Name }}', { kind: 'subject', words }).text).toBe('Hi {{ name }}')
    const layout = '<title>{{ .Campaign.Subject }}</title><body>{{ template "content" . }}</body>'
    expect(translateGo(layout, { kind: 'layout', words })).toEqual({
      text: '<title></title><body>{{ content }}</body>',
      faults: [],
    })
  })

  test('renders as it did there', () => {
    const { text } = translateGo(
      '<b>{{ .Subscriber.Attribs.x }}</b> {{ index .Subscriber.Attribs "y z" }}',
      body,
    )
    const data = { x: '<i>', 'y z': 'Q&A' }
    expect(compileTemplate(text).render({ ...data, data })).toBe('<b>&lt;i&gt;</b> Q&amp;A')
  })
})

test('whatever is put together of these reads as it did there', () => {
  const data = { x: 'Q&A <1>', 'y z': '"' }
  const values = { ...data, data, email: 'a+b@x.test', unsubscribeUrl: 'https://u.test/?a=1' }
  // As Go's html/template does, with another spelling of the quote.
  const escaped = (text: string): string =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
  const parts: Array<[given: string, reads: string]> = [
    ...['a', ' ', '\n', '}', '}}', '%}', '{%', '<b>', '</b>', '&', '"', "'", '@TrackLink', '\u00e9'].map(
      (text): [string, string] => [text, text],
    ),
    ['{{ .Subscriber.Email }}', escaped(values.email)],
    ['{{ .Subscriber.Attribs.x }}', escaped(data.x)],
    ['{{ index .Subscriber.Attribs "y z" }}', escaped(data['y z'])],
    ['{{ UnsubscribeURL }}', values.unsubscribeUrl],
    ['{{ TrackView }}', ''],
    ['{{/* }} */}}', ''],
    ['{{ Safe "<i>%}" }}', '<i>%}'],
    ['{{ "<" }}', '&lt;'],
  ]
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 12 }), chosen => {
      const { text, faults } = translateGo(chosen.map(([given]) => given).join(''), body)
      expect(faults).toEqual([])
      expect(compileTemplate(text).render(values)).toBe(chosen.map(([, reads]) => reads).join(''))
    }),
    { numRuns: 500 },
  )
})

describe('what is refused, with its line', () => {
  test.each<[given: string, context: Partial<GoContext>]>([
    ['{{ if .Subscriber.Attribs.x }}', {}],
    ['{{ range .Subscriber.Attribs.x }}', {}],
    ['{{ end }}', {}],
    ['{{ .Subscriber.Attribs.x | upper }}', {}],
    ['{{ (index .Subscriber.Attribs "x").y }}', {}],
    ['{{ .Subscriber.UUID }}', {}],
    ['{{ .Subscriber.Attribs.email }}', {}],
    ['{{ .Subscriber.Attribs.firstName }}', {}],
    ['{{ index .Subscriber.Attribs "id" }}', {}],
    ['{{ OptinURL }}', {}],
    ['{{ RootURL }}', {}],
    ['{{ Date "2006" }}', {}],
    ['{{ L.T "public.unsub" }}', {}],
    ['{{ L.T "constructor" }}', {}],
    ['{{ template "content" . }}', {}],
    ['{{ .Campaign.UUID }}', {}],
    ['{{ .Campaign.Subject }}', { kind: 'layout', campaign: undefined as never }],
    ['{{ .Campaign.Subject }}', { campaign: { name: 'x', subject: 'Hi {{ .Subscriber.Name }}' } }],
    ['{{ .Tx.Data.code }}', {}],
    ['<a href="{{ .Subscriber.Attribs.site }}">', {}],
    ['<p class={{ .Subscriber.Name }}>', {}],
    ['<p class="{{ .Subscriber.Name }}">', {}],
    ['<style>{{ .Subscriber.Name }}</style>', {}],
    ['{{ unknown }}', {}],
    ['{{ Safe "{" }}', {}],
    ['{{ "open', {}],
  ])('%j', (given, context) => {
    const { faults } = translateGo(`one\ntwo ${given}`, { ...body, ...context })
    if (given === '{{ "open') expect(faults).toEqual([])
    else expect(faults[0]).toStartWith('line 2: {{')
  })

  test('data of a transactional mail belongs to that alone', () => {
    expect(translateGo('{{ .Tx.Data.code }}', { kind: 'body', isTx: true, words })).toEqual({
      text: '{{ code }}',
      faults: [],
    })
  })
})
