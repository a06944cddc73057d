import { describe, expect, test } from 'bun:test'
import { createTemplateCache } from '../../../src/liquid/cache'
import { renderContent } from '../../../src/modules/sending/emails/compose'
import { asDocument, isDesigned } from '../../../src/modules/sending/emails/document'
import { buildScope } from '../../../src/modules/sending/templates/variables'
import { expectLinear } from '../../support/cost'

const links = {
  unsubscribeUrl: 'https://x/unsubscribe/c1',
  subscribeUrl: 'https://x/s',
  manageUrl: 'https://x/m',
}
const scope = buildScope({
  contact: { id: 'c1', email: 'ada@example.com', data: { 'first name': 'Ada', tags: ['a', 'b'] } },
  links,
})

describe('content for one recipient', () => {
  test('subject, HTML and text come from one source', () => {
    const content = renderContent(
      createTemplateCache(),
      {
        subject: 'Hi {{first name}}\n{{tags}}',
        body: '<div>Hello {{first name}}<br><a href="{{unsubscribeUrl}}">leave</a> {{tags}}</div>',
      },
      scope,
    )
    expect(content).toEqual({
      subject: 'Hi Ada a, b',
      html: '<div>Hello Ada<br><a href="https://x/unsubscribe/c1">leave</a> <li>a</li>\n<li>b</li></div>',
      text: 'Hello Ada\nleave (https://x/unsubscribe/c1) - a\n- b',
    })
  })

  test('a footer stands inside the body and below the text', () => {
    const footer = { html: '<p>Leave</p>', text: 'Leave' }
    const content = renderContent(
      createTemplateCache(),
      { subject: 's', body: '<html><body>Hi</body></html>' },
      scope,
      footer,
    )
    expect(content).toEqual({
      subject: 's',
      html: '<html><body>Hi<p>Leave</p></body></html>',
      text: 'Hi\n\nLeave',
    })
  })

  test('a typed body gets a document, and the text none of it', () => {
    const content = renderContent(
      createTemplateCache(),
      { subject: 's', body: '<p>Hi {{first name}}</p>' },
      scope,
    )
    expect(content.html).toStartWith('<!DOCTYPE html>')
    expect(content.html).toContain('\n<p>Hi Ada</p>\n')
    expect(content.text).toBe('Hi Ada')
  })
})

describe('the document around a typed body', () => {
  test.each([
    'Hi',
    '<p>Hi <b>you</b></p>',
    '<h1>a</h1><ul><li>b</li></ul>',
    '<a href="https://x?id=1">x</a>',
    '<p style="color: red">a</p>',
    '<p>the class=1 of</p>',
    '{% if a %}<p>b</p>{% endif %}',
  ])('%p gets one', body => {
    expect(isDesigned(body)).toBe(false)
    expect(asDocument(body, 'News')).toContain(body)
  })

  test.each([
    '<div>a</div>',
    '<TABLE><tr><td>a</td></tr></TABLE>',
    '<style>a{}</style>a',
    '<html>a</html>',
    '<p id="a">b</p>',
    '<p class="a">b</p>',
    '<p data-x="1">a</p>',
    "<p style='a' aria-label='b'>c</p>",
    '<form></form>',
    '<p>@media</p>',
  ])('%p stays as it is', body => expect(asDocument(body, 'News')).toBe(body))

  const head = '<html><head><title></title></head><body>{{name}}</body></html>'
  const titled = (subject: string, body: string, data: Record<string, unknown> = { name: 'A & B' }) =>
    /<title>.*<\/title>/s.exec(renderContent(createTemplateCache(), { subject, body }, data).html)?.[0]

  test.each<[subject: string, title: string | undefined, body: string]>([
    ['News & more <today>', '<title>News &amp; more &lt;today&gt;</title>', head],
    ['For {{name}}', '<title>For A &amp; B</title>', head],
    ['{% if name %}For {{name}}{% else %}News{% endif %}', '<title>For A &amp; B</title>', head],
    ['{% assign name = "other" %}{{name}}', '<title></title>', head],
    ['News', '<title>Own</title>', '<html><head><title>Own</title></head></html>'],
    ['News', undefined, '<html><body>Hi</body></html>'],
  ])('an empty title is the subject %p', (subject, title, body) => {
    expect(titled(subject, body)).toBe(title)
  })

  test('a body that is sent with two subjects has the title of each', () => {
    const cache = createTemplateCache()
    const title = (subject: string) => renderContent(cache, { subject, body: head }, {}).html
    expect([title('One'), title('Two'), title('One')]).toEqual(
      ['One', 'Two', 'One'].map(subject => expect.stringContaining(`<title>${subject}</title>`)),
    )
  })

  test.each(['<a ', '<p x', '<', '<a b="', 'data-', ' id ', '<a id  '])(
    '%p repeated is judged in linear time',
    unit => {
      expectLinear(times => isDesigned(`<a ${unit.repeat(times)}`), Math.floor(300_000 / unit.length))
    },
  )
})
